import Foundation
import Metrics
import Platform
import Statistics

/// The reviewed behaviour of a subject: figures for review, and the values of every cell behind
/// them, so that the next run is compared cell by cell.
public struct Baseline: Equatable, Sendable {
  /// Origin of the measurement.
  public struct Provenance: Codable, Equatable, Sendable {
    public var plan: String
    /// Subject ids with versions.
    public var subjects: [String]
    /// Digest of the recordings' ids and contents.
    public var corpus: String
    /// Processor and system; costs are not comparable across machines.
    public var machine: String
    /// Date of the last change, `2026-01-31`.
    public var date: String
    /// Digest of each recording, by id.
    public var recordings: [String: String]
    /// Digest of each score's content, by id.
    public var scores: [String: String]
    /// Digest of the judges' settings.
    public var judges = Self.judgesNow

    /// Digest of this build's settings. A choice of no metric leaves only the settings; versions are compared metric
    /// by metric.
    public static let judgesNow = String(
      Digest.sha256(MetricChoice(["none"]).fingerprint).prefix(16))
  }

  /// A reviewed line.
  public struct Row: Equatable, Sendable {
    /// Mean over recordings.
    public var value: Double
    /// 95 % interval over recordings, by Student's t; `nil` with fewer than five.
    public var interval: ClosedRange<Double>? = nil
    /// Number of recordings.
    public var count: Int
    public var unit: String
    public var direction: Metric.Direction
    public var version: Int
    /// Reason of the last change.
    public var reason: String
  }

  public internal(set) var provenance: Provenance
  public internal(set) var rows: [FigureKey: Row]
  /// Cells with the defined values of the figures in `rows`.
  public internal(set) var cells: [ComparedCell]

  /// - Parameter reason: reason of every figure.
  init(cells: [ComparedCell], provenance: Provenance, reason: String) throws(Refusal) {
    self.provenance = provenance
    self.cells = cells.sorted { $0.address < $1.address }
    rows = [:]
    _ = try PairedCells(baseline: self.cells, candidate: [])  // Refuses equal addresses.
    let pairs = FigurePairs(of: self.cells)
    for figure in Metric.all.flatMap({ pairs.figures(of: $0) }) {
      let key = figure.key
      let values = figure.means
      guard let mean = Statistics.mean(values) else { continue }
      rows[key] = Row(
        value: mean,
        interval: values.count < Statistics.minSpreadCount
          ? nil : PairedStudentTest(values)?.interval(), count: values.count,
        unit: figure.metric.unit, direction: figure.metric.direction,
        version: figure.metric.version, reason: reason)
    }
  }

  init(provenance: Provenance, rows: [FigureKey: Row], cells: [ComparedCell]) {
    (self.provenance, self.rows, self.cells) = (provenance, rows, cells)
  }

  /// The baseline's cells with their noise.
  func takes(_ noise: GateNoise?) -> Takes {
    Takes(cells, perturbed: noise?.cells ?? [:], perturbations: noise?.perturbations ?? 0)
  }

  /// True if the judges were set otherwise, so that none of its figures can be compared.
  var hasOtherJudges: Bool { provenance.judges != Provenance.judgesNow }

  /// Metrics whose version has changed since, with both versions.
  public var outdatedMetrics: [String: (was: Int, is: Int?)] {
    var found: [String: (was: Int, is: Int?)] = [:]
    for (key, row) in rows {
      let now = Metric.metric(id: key.figure.metric)?.version
      if now != row.version { found[key.figure.metric] = (row.version, now) }
    }
    return found
  }
}
