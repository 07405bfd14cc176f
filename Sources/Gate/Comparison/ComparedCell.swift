import Corpus
import Metrics
import Subjects
import Sweep

/// One cell of a comparison: the address that matches it, and its figures.
public struct ComparedCell: Sendable {
  /// What the same cell of another run has in common with it.
  public struct Address: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public var recording: String
    public var condition: String
    public var score: String
    /// The subject and its settings, in their one spelling.
    public var configuration: String

    public init(recording: String, condition: String, score: String, configuration: String) {
      (self.recording, self.condition) = (recording, condition)
      (self.score, self.configuration) = (score, configuration)
    }

    public static func < (a: Self, b: Self) -> Bool {
      (a.configuration, a.score, a.recording, a.condition)
        < (b.configuration, b.score, b.recording, b.condition)
    }

    public var description: String {
      let through = condition == Condition.clean.canonical ? "" : condition
      return [recording, through, score, configuration].filter { !$0.isEmpty }
        .joined(separator: " · ")
    }
  }

  /// A metric of one voice, by the score's name for it, or of the whole.
  public struct FigureID: Codable, Hashable, Comparable, Sendable {
    public var metric: String
    public var voice: String?

    public init(_ metric: String, voice: String? = nil) {
      (self.metric, self.voice) = (metric, voice)
    }

    public static func < (a: Self, b: Self) -> Bool {
      (a.metric, a.voice ?? "") < (b.metric, b.voice ?? "")
    }
  }

  private enum Source: Sendable {
    case failed(String)
    /// Measurements with the names of the voices.
    case measured(Measurements, voices: [String])
  }

  public let address: Address
  /// Key of the cell in its store, for `explain`; empty if it comes from elsewhere.
  public let key: String
  private let source: Source

  public init(_ address: Address, figures: [FigureID: MetricResult.Outcome], key: String = "") {
    (self.address, self.key) = (address, key)
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
    address = Address(
      recording: cell.recording, condition: cell.condition, score: cell.score.id,
      configuration: [subject, settings].filter { !$0.isEmpty }.joined(separator: " "))
    key = cell.key
    switch cell.outcome {
    case .failed(let reason): source = .failed(reason)
    case .measured(let all): source = .measured(all, voices: voices)
    }
  }

  /// - Parameter ignored: settings, or `subject`, to ignore when cells are matched.
  public init(_ cell: CellResult, ignoring ignored: Set<String> = []) {
    self.init(cell, ignoring: ignored, voices: cell.score.voiceLabels)
  }

  /// Reason why there are no figures; `nil` if there are.
  public var failure: String? { if case .failed(let reason) = source { reason } else { nil } }

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

  /// Calls `take` with the figures of one metric by voice, without reading the others.
  ///
  /// - Parameter table: measurements to read from; by default the cell's own.
  func forEachFigure(
    of metric: String, in table: MeasurementTable? = nil,
    _ take: (_ voice: String?, _ outcome: MetricResult.Outcome) -> Void
  ) {
    guard case .measured(let own, let voices) = source else { return }
    let all = table.flatMap(own.reading) ?? own
    all.forEach(metric) { voice, outcome in take(Self.name(of: voice, among: voices), outcome) }
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
