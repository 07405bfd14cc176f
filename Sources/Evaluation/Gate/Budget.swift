import Metrics
import Platform
import Statistics

/// An absolute limit on one metric for every voice and setting, independent of the baseline.
public struct Budget: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The statistic of a figure's recordings that is compared with the limit.
  public enum Statistic: String, NamedChoice, Sendable {
    case mean, median
    /// The largest cell for `max` and the smallest for `min`.
    case worst
    /// The share of cells without a value.
    case undefined
  }

  public var metric: String
  public var of: Statistic
  public var max: Double?
  public var min: Double?
  /// Voice by its label in the score; `nil` means every voice.
  public var voice: String?
  /// Settings such as `engine=psola`, with spaces between them, that a configuration must have; `nil`
  /// means every configuration.
  public var settings: String?

  public init(
    _ metric: String, of statistic: Statistic = .mean, max: Double? = nil, min: Double? = nil,
    voice: String? = nil, settings: String? = nil
  ) {
    (self.metric, of, self.max, self.min) = (metric, statistic, max, min)
    (self.voice, self.settings) = (voice, settings)
  }

  enum CodingKeys: String, CodingKey, CaseIterable { case metric, of, max, min, voice, settings }

  /// Text such as `mean pitch.abs_error at most 10 cents`.
  public var description: String {
    let unit = of == .undefined ? "" : Metric.metric(id: metric).map { " \($0.unit)" } ?? ""
    let limits = [max.map { "at most \($0.words)" }, min.map { "at least \($0.words)" }]
    return "\(of.rawValue) \(metric)\(voice.map { " of \($0)" } ?? "")"
      + "\(settings.map { " with \($0)" } ?? "") "
      + limits.compactMap(\.self).joined(separator: " and ") + unit
  }

  private func covers(_ cell: ComparedCell) -> Bool {
    guard let settings else { return true }
    return Set(settings.split(separator: " "))
      .isSubset(of: cell.address.configuration.split(separator: " "))
  }

  func isBroken(by value: Double) -> Bool {
    // Negated comparisons, so that NaN breaks every limit.
    !(max.map { value <= $0 } ?? true) || !(min.map { value >= $0 } ?? true)
  }
}

/// The result of a budget for one voice and setting.
public struct BudgetFinding: Codable, Equatable, Sendable {
  public var budget: Budget
  public var voice: String?
  public var score: String
  public var configuration: String
  /// `nil` if no cell has a value.
  public var value: Double?
  public var isBroken: Bool
  /// Worst recording, and the key of its cell.
  public var recording: String?
  public var cell: String?

  /// Voice and settings: `+4 windowMs=40`.
  package var place: String {
    [voice ?? "", configuration].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension Budget {
  /// Returns one finding for every voice and setting that has the metric, or one broken finding if
  /// none has.
  public func findings(in cells: [ComparedCell]) -> [BudgetFinding] {
    var figures: [FigureKey: [Value]] = [:]
    for cell in cells where covers(cell) {
      for (id, outcome) in cell.figures
      where id.metric == metric && (voice == nil || id.voice == voice) {
        figures[cell.address.key(of: id), default: []].append(Value(cell: cell, outcome: outcome))
      }
    }
    // Probes have no voices, so their figures do not count for a metric of voices.
    if figures.keys.contains(where: { $0.figure.voice != nil }) {
      figures = figures.filter { $0.key.figure.voice != nil }
    }
    let found = figures.map { key, values in
      let (value, extreme) = judged(values)
      // What could have had a value and has none breaks the budget.
      let isLost = value == nil && values.contains(where: \.isLost)
      return BudgetFinding(
        budget: self, voice: key.figure.voice, score: key.score, configuration: key.configuration,
        value: value, isBroken: value.map(isBroken) ?? isLost,
        recording: extreme?.address.recording, cell: extreme?.key)
    }.sorted {
      ($0.configuration, $0.score, $0.voice ?? "") < ($1.configuration, $1.score, $1.voice ?? "")
    }
    guard found.contains(where: { $0.value != nil }) else {
      return [
        BudgetFinding(
          budget: self, voice: voice, score: "", configuration: "", value: nil, isBroken: true)
      ]
    }
    return found
  }

  private struct Value {
    var cell: ComparedCell
    var outcome: MetricResult.Outcome
    var number: Double? { outcome.number }
    /// True if it has no value although the recording, the score and the subject's outputs allow one.
    var isLost: Bool {
      if case .undefined(let reason) = outcome { !reason.doesNotApply } else { false }
    }
  }

  private func judged(_ values: [Value]) -> (value: Double?, extreme: ComparedCell?) {
    if of == .undefined {
      let lacking = values.filter { $0.number == nil }
      return (Double(lacking.count) / Double(values.count), lacking.first?.cell)
    }
    let defined = values.filter { $0.number != nil }
    let high = defined.max { $0.number! < $1.number! }
    let low = defined.min { $0.number! < $1.number! }
    if of == .worst {
      let broken = [max == nil ? low : high, low].compactMap(\.self)
        .first { isBroken(by: $0.number!) }
      let worst = broken ?? (max == nil ? low : high)
      return (worst?.number, worst?.cell)
    }
    let byRecording = Dictionary(grouping: defined, by: \.cell.address.recording)
      .sorted { $0.key < $1.key }.map { Statistics.mean($0.value.map { $0.number! })! }
    let value = of == .median ? Statistics.median(byRecording) : Statistics.mean(byRecording)
    let isTooLow = value.map { value in min.map { value < $0 } ?? false } ?? false
    return (value, (max == nil || isTooLow ? low : high)?.cell)
  }
}

extension Budget {
  /// Returns what is wrong with a budget that no cell can have a figure of, because it names a voice or
  /// settings that the plan does not have; `nil` if it names none, or some that are there, or if cells
  /// failed, whose voices nobody knows.
  func mistake(in cells: [ComparedCell]) -> String? {
    func missing(_ what: String, among all: some Sequence<String>) -> String {
      let known = Set(all).sorted().joined(separator: ", ")
      return "\(what), but the plan has \(known.isEmpty ? "none" : known); correct the budget"
    }
    guard cells.allSatisfy({ $0.failure == nil }) else { return nil }
    if let voice {
      let voices = Set(cells.flatMap { $0.figures.keys.compactMap(\.voice) })
      if !voices.contains(voice) { return missing("names the voice '\(voice)'", among: voices) }
    }
    if let settings {
      let words = Set(cells.flatMap { $0.address.configuration.split(separator: " ") })
      for word in settings.split(separator: " ") where !words.contains(word) {
        return missing("names the setting '\(word)'", among: words.map(String.init))
      }
    }
    return nil
  }
}

extension Double {
  /// Text without needless decimals.
  fileprivate var words: String {
    self == rounded() && abs(self) < 1e15 ? String(Int(self)) : "\(self)"
  }
}
