import Corpus
import Foundation
import Metrics
import Platform
import Subjects
import Sweep

/// Explains one number: what it is, when it is worst, and what to listen to.
///
/// The cell is rendered again as its run did.
public struct Explanation: Sendable {
  /// An instant at which the metric is bad.
  public struct Instant: Encodable, Sendable {
    public var atSeconds: Double
    public var voice: Int?
    public var value: Double
    public var unit: String
    public var words: String
  }

  public let cell: CellResult
  public let metric: Metric
  /// Values from the store.
  public let measurements: [MetricResult]
  /// Values measured now; they differ if the program or the subject has changed.
  public let remade: [MetricResult]
  public let worst: [Instant]
  /// Reason why there are no instants; `nil` if there are.
  public let noInstants: (any Error)?
  public let files: [URL]
  /// Differences between the cell's provenance and the present one, in words.
  public let changes: [String]

  /// - Parameters:
  ///   - run: the run that holds the cell.
  ///   - folder: receives the sound files; `nil` writes none.
  public init(
    of cell: CellResult, of run: StoredRun, metric id: String, corpus: Corpus, into folder: URL?,
    most: Int = 8
  ) throws {
    guard let metric = Metric.metric(id: id) else {
      throw Refusal(id, Metric.unknown(id))
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
    do {
      worst = try replay.worst(for: metric, most: most)
      noInstants = nil
    } catch { (worst, noInstants) = ([], error) }
    files = try folder.map { try replay.write(to: $0) } ?? []
  }

  /// Names of the files that are written for a cell with this number of voices.
  public static func fileNames(voices: Int) -> [String] { CellReplay.fileNames(voices: voices) }

  /// Returns the cells whose key starts with `words`, or whose label has each of them as a
  /// word, or else within a word.
  public static func cells(_ words: String, in run: StoredRun) -> [CellResult] {
    let byKey = run.cells.filter { $0.key.hasPrefix(words.lowercased()) }
    if !words.isEmpty, !byKey.isEmpty { return byKey }
    let parts = words.split(whereSeparator: { $0 == "/" || $0.isWhitespace })
    let byWords = named(parts, in: run) { $0 == $1 }
    if !byWords.isEmpty { return byWords }
    return named(parts, in: run) { $0.localizedCaseInsensitiveContains($1) }
  }

  /// Returns the cells whose labels have a word for each part.
  private static func named(
    _ parts: [Substring], in run: StoredRun, where agree: (Substring, Substring) -> Bool
  ) -> [CellResult] {
    run.cells.filter { cell in
      let names = cell.label.split(whereSeparator: \.isWhitespace)
      return parts.allSatisfy { part in names.contains { agree($0, part) } }
    }
  }
}

extension CellResult {
  /// Label for people: recording, condition, score, subject and settings.
  public var label: String {
    [Condition.place(recording, condition), score.id, subject, settings.canonical]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
