import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// A run as a gate judges it: its cells and their provenance.
public struct MeasuredRun: Sendable {
  public var cells: [ComparedCell]
  public var provenance: Baseline.Provenance

  public init(cells: [ComparedCell], provenance: Baseline.Provenance) {
    (self.cells, self.provenance) = (cells, provenance)
  }

  /// Creates it from a stored run. If the plan has one subject, its name is ignored when cells are
  /// matched, so that another subject may replace it.
  public init(_ run: StoredRun, in corpus: Corpus) throws {
    let ids = run.plan.subjects.map(\.id).uniqued()
    cells = run.comparedCells(ignoring: ids.count == 1 ? [SettingSummary.subjectAxis] : [])
    let measured = ProvenanceSummary(of: run.cells).subjects
    let versions = measured.keys.sorted().map { id in
      "\(id) \(ProvenanceSummary.line(measured[id]!))"
    }
    var recordings: [String: String] = [:]
    for id in run.plan.recordings {
      recordings[id] = String(try corpus.digest(of: corpus.entry(id: id)).prefix(16))
    }
    let heard = recordings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    provenance = Baseline.Provenance(
      plan: run.plan.name, subjects: versions,
      corpus: String(Digest.sha256(heard.joined(separator: "\n")).prefix(16)),
      machine: MachineClass.system, date: Self.today, recordings: recordings,
      scores: run.plan.scores.keyed(by: \.id)
        .mapValues { String(Digest.sha256($0.canonical).prefix(16)) })
  }

  private static var today: String { String(Date().ISO8601Format().prefix(10)) }
}
