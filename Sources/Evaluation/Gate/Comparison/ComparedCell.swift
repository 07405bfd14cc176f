import Corpus
import Metrics
import Subjects
import Sweep

/// One cell of a comparison: the address that matches it, and its figures. Cells are equal whatever
/// their keys and the order of their voices.
public struct ComparedCell: Equatable, Sendable {
  private enum Source: Sendable {
    case failed(String)
    /// Measurements with the names of the voices.
    case measured(Measurements, voices: [String])
  }

  public let address: CellAddress
  /// Key of the cell in its store, for `explain`; empty if it comes from elsewhere.
  public let key: String
  /// True if the same input gave its subject another output.
  var isRandom: Bool
  private let source: Source

  public init(_ address: CellAddress, figures: [FigureID: MetricResult.Outcome], key: String = "") {
    (self.address, self.key, isRandom) = (address, key, false)
    let voices = Set(figures.keys.compactMap(\.voice)).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(voices, voices.indices))
    var byMetric: [String: [MetricResult]] = [:]
    for (id, outcome) in figures {
      byMetric[id.metric, default: []].append(
        MetricResult(voice: id.voice.map { places[$0]! }, outcome: outcome, count: 0))
    }
    source = .measured(Measurements(byMetric), voices: voices)
  }

  /// - Parameters:
  ///   - ignored: settings, or `subject`, to ignore when cells are matched.
  ///   - voices: names of the score's voices.
  init(_ cell: CellResult, ignoring ignored: Set<String>, voices: [String]) {
    let settings = cell.settings.filter { !ignored.contains($0.key) }.canonical
    let subject = ignored.contains(SettingSummary.subjectAxis) ? "" : cell.subject
    address = CellAddress(
      recording: cell.recording, condition: cell.condition, score: cell.score.id,
      configuration: [subject, settings].filter { !$0.isEmpty }.joined(separator: " "))
    (key, isRandom) = (cell.key, cell.isRandom ?? false)
    switch cell.outcome {
    case .failed(let reason): source = .failed(reason)
    case .measured(let all): source = .measured(all, voices: voices)
    }
  }

  /// - Parameter ignored: settings, or `subject`, to ignore when cells are matched.
  public init(_ cell: CellResult, ignoring ignored: Set<String> = []) {
    self.init(cell, ignoring: ignored, voices: cell.score.voiceLabels)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.address == b.address && a.figures == b.figures
  }

  /// Reason why there are no figures; `nil` if there are.
  public var failure: String? { if case .failed(let reason) = source { reason } else { nil } }

  /// Number of voices of the score; 0 of a failed cell.
  var voices: Int { if case .measured(_, let voices) = source { voices.count } else { 0 } }

  /// All figures, with or without a value.
  public var figures: [FigureID: MetricResult.Outcome] {
    guard case .measured(let all, let voices) = source else { return [:] }
    var figures: [FigureID: MetricResult.Outcome] = [:]
    for (metric, found) in all.byMetric {
      for measurement in found {
        figures[FigureID(metric, voice: Self.name(of: measurement.voice, among: voices))] =
          measurement.outcome
      }
    }
    return figures
  }

  /// Calls `body` with the figures of one metric by voice, without reading the others.
  func forEachFigure(
    of metric: String, _ body: (_ voice: String?, _ outcome: MetricResult.Outcome) -> Void
  ) {
    guard case .measured(let all, let voices) = source else { return }
    all.forEach(metric) { body(Self.name(of: $0.voice, among: voices), $0.outcome) }
  }

  private static func name(of voice: Int?, among voices: [String]) -> String? {
    voice.map { $0 < voices.count ? voices[$0] : "voice \($0 + 1)" }
  }
}

extension StoredRun {
  /// Returns the cells for a comparison.
  public func comparedCells(ignoring ignored: Set<String> = []) -> [ComparedCell] {
    // Voice labels are computed once for consecutive cells of one score.
    var (score, voices) = (cells.first?.score, cells.first?.score.voiceLabels ?? [])
    return cells.map { cell in
      if cell.score != score { (score, voices) = (cell.score, cell.score.voiceLabels) }
      return ComparedCell(cell, ignoring: ignored, voices: voices)
    }
  }
}
