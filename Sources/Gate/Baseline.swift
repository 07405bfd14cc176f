import Foundation
import Metrics
import Statistics

/// What a subject did when a person last looked and agreed: figures to review, and the values of
/// every cell that they stand on, so that the next run is compared cell by cell.
public struct Baseline: Equatable, Sendable {
  /// Of what, by what, when.
  public struct Provenance: Codable, Equatable, Sendable {
    public var plan: String
    /// Ids with versions.
    public var subjects: [String]
    /// Digest of the recordings' ids and contents.
    public var corpus: String
    /// Processor and system; figures of cost mean nothing on another.
    public var machine: String
    /// Of the last change, `2026-01-31`.
    public var date: String
    /// Digest of each recording, by id.
    public var recordings: [String: String]
    /// Digest of each score's content, by id.
    public var scores: [String: String]
  }

  /// One figure: a metric of one voice of one score under one setting.
  public struct Key: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public var figure: ComparedCell.FigureID
    public var score: String
    public var configuration: String

    public init(_ figure: ComparedCell.FigureID, score: String, configuration: String) {
      (self.figure, self.score, self.configuration) = (figure, score, configuration)
    }

    public static func < (a: Self, b: Self) -> Bool {
      (a.figure.metric, a.score, a.configuration, a.figure.voice ?? "")
        < (b.figure.metric, b.score, b.configuration, b.figure.voice ?? "")
    }

    public var description: String {
      [figure.metric, figure.voice, score, configuration].compactMap(\.self)
        .filter { !$0.isEmpty }.joined(separator: " · ")
    }
  }

  /// A line for review.
  public struct Row: Equatable, Sendable {
    /// Mean over recordings.
    public var value: Double
    /// 95 %, by drawing recordings; `nil` of fewer than five.
    public var interval: ClosedRange<Double>?
    /// Recordings.
    public var count: Int
    public var unit: String
    public var direction: Metric.Direction
    public var version: Int
    /// Of the last change.
    public var reason: String
  }

  public internal(set) var provenance: Provenance
  public internal(set) var rows: [Key: Row]
  /// Only with the figures that rows are of, and only those that have a value.
  public internal(set) var cells: [ComparedCell]
  /// `nil` where nobody asked for them.
  public internal(set) var costs: BaselineCosts?

  /// - Parameters:
  ///   - reasons: of figures that are as before; all others are there for `reason`.
  init(
    cells: [ComparedCell], provenance: Provenance, versions: [Key: Int] = [:],
    reasons: [Key: String] = [:], reason: String
  ) throws(ComparisonError) {
    self.provenance = provenance
    self.cells = cells.sorted { $0.address < $1.address }
    rows = [:]
    let pairs = FigurePairs(of: try PairedCells(baseline: self.cells, candidate: self.cells).pairs)
    for figure in Metric.all.flatMap({ pairs.figures(of: $0) }) {
      let key = Key(figure.id, score: figure.score, configuration: figure.configuration)
      let values = figure.baselineByRecording
      guard let mean = Statistics.mean(values) else { continue }
      rows[key] = Row(
        value: mean, interval: DifferenceTest().interval(ofMean: values), count: values.count,
        unit: figure.metric.unit, direction: figure.metric.direction,
        version: versions[key] ?? figure.metric.version, reason: reasons[key] ?? reason)
    }
  }

  init(
    provenance: Provenance, rows: [Key: Row], cells: [ComparedCell], costs: BaselineCosts? = nil
  ) {
    (self.provenance, self.rows, self.cells, self.costs) = (provenance, rows, cells, costs)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.provenance == b.provenance && a.rows == b.rows && a.costs == b.costs
      && a.cells.map(\.address) == b.cells.map(\.address)
      && a.cells.map(\.figures) == b.cells.map(\.figures)
  }

  /// Metrics whose version was another, with both.
  public var outdatedMetrics: [String: (was: Int, is: Int?)] {
    var found: [String: (was: Int, is: Int?)] = [:]
    for (key, row) in rows {
      let now = Metric.metric(id: key.figure.metric)?.version
      if now != row.version { found[key.figure.metric] = (row.version, now) }
    }
    return found
  }
}
