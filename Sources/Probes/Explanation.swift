import Corpus
import Foundation
import Metrics
import Subjects
import Sweep

/// How one number came about: what it is, where in time it is worst, and what to listen to.
///
/// The cell is rendered again, as its run did; where the store kept the traces of the voices they say
/// the same.
public struct Explanation: Sendable {
  /// A place in time.
  public struct Instant: Encodable, Sendable {
    public var atSeconds: Double
    public var voice: Int?
    public var value: Double
    public var unit: String
    public var words: String
  }

  public let cell: CellResult
  public let metric: Metric
  /// As stored.
  public let measurements: [MetricResult]
  /// As measured now; another value where program or subject changed since.
  public let remade: [MetricResult]
  public let worst: [Instant]
  /// Why no instants are named, if so.
  public let noInstants: String?
  public let files: [URL]
  /// What is another now than when the cell was measured, in words.
  public let changes: [String]

  /// - Parameters:
  ///   - run: that the cell is of.
  ///   - folder: for the files to hear; none are written where it is `nil`.
  public init(
    of cell: CellResult, of run: StoredRun, metric id: String, corpus: Corpus, into folder: URL?,
    most: Int = 8
  ) throws {
    guard let metric = Metric.metric(id: id) else {
      let ids = Metric.all.map(\.id).joined(separator: ", ")
      throw SubjectError.settings(subject: id, problem: "is no metric; there is \(ids)")
    }
    let replay = try CellReplay(of: cell, of: run, in: corpus)
    var now = cell
    now.provenance = .here(replay.subject)
    changes =
      cell.provenance == nil
      ? [] : ProvenanceSummary(of: [cell]).changes(to: ProvenanceSummary(of: [now]))
    (self.cell, self.metric) = (cell, metric)
    measurements = cell.measurements[id] ?? []
    remade = metric.measure(replay.observation)
    (worst, noInstants) = replay.worst(for: metric, most: most)
    files = try folder.map { try replay.write(to: $0) } ?? []
  }

  /// Names of the files that are written for a cell of so many voices.
  public static func fileNames(voices: Int) -> [String] { CellReplay.fileNames(voices: voices) }

  /// The cells whose key begins with some words, or whose label has all of them in it.
  public static func cells(_ words: String, in run: StoredRun) -> [CellResult] {
    let byKey = run.cells.filter { $0.key.hasPrefix(words.lowercased()) }
    if !words.isEmpty, !byKey.isEmpty { return byKey }
    let parts = words.split(whereSeparator: { $0 == "/" || $0.isWhitespace })
    return run.cells.filter { cell in
      let names = cell.label.split(whereSeparator: \.isWhitespace)
      return parts.allSatisfy { part in names.contains { $0 == part } }
    }
  }
}

extension CellResult {
  /// For people: recording, condition, score, subject and settings.
  public var label: String {
    let through = condition == Condition.clean.canonical ? "" : " · \(condition)"
    return [recording + through, score.id, subject, settings.canonical].filter { !$0.isEmpty }
      .joined(separator: " · ")
  }
}
