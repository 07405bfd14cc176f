import Corpus
import Foundation
import Metrics
import Subjects

/// The difference of one figure between two runs over the same cells, with its verdict.
public struct MetricDifference: Codable, Equatable, Sendable {
  /// The difference in one cell.
  public struct Instance: Codable, Equatable, Sendable {
    public var recording: String
    public var condition: String
    /// Median of the baseline's takes; `candidate` is that of the candidate's.
    public var baseline: Double
    public var candidate: Double
    /// Smallest and largest of the takes; `nil` of a single one.
    public var baselineTakes: ClosedRange<Double>?
    public var candidateTakes: ClosedRange<Double>?
    /// Key of the candidate's cell, for `explain`.
    public var cell: String
  }

  public var metric: String
  /// Label of the voice in the score; `nil` for a figure of the whole sound.
  public var voice: String?
  public var score: String
  /// The subject with its settings.
  public var configuration: String

  public var key: FigureKey {
    FigureKey(FigureID(metric, voice: voice), score: score, configuration: configuration)
  }

  public var unit: String
  public var direction: Metric.Direction

  /// Weighted mean over recordings with a value on both sides; `nil` if there are none.
  public var baseline: Double?
  /// Mean over the same recordings.
  public var candidate: Double?
  /// Number of recordings with a value on both sides.
  public var recordings: Int
  public var cells: Int
  /// Mean worsening in the metric's unit; negative is better.
  public var worsening: Double?
  /// Median worsening over recordings, which a single recording does not move.
  public var medianWorsening: Double?
  /// Standard error of that mean by the spread of the takes; 0 of a single one.
  public var error: Double
  /// Probability that chance moves the mean as far, times the number of decisions of the comparison.
  public var pValue: Double
  /// Minimum effect in the metric's unit.
  public var minimumEffect: Double
  /// Effect that these recordings and takes would show with the power of the rule.
  public var minimumDetectableEffect: Double?
  /// Largest change worth finding: a larger one cannot exist, or nobody misses it.
  var maxEffect: Double {
    min(100 * minimumEffect, ["share": 1, "ratio": 1, "cents": 1200][unit] ?? .infinity)
  }
  /// True if the rule finds no change worth finding.
  package var isTooNoisy: Bool {
    recordings > 0 && (minimumDetectableEffect ?? .infinity) > maxEffect
  }
  public var verdict: ComparisonVerdict
  /// Reason of the verdict, in words.
  public var reason: String
  /// The cell that decided: where it got worse by most, or better by most for an improvement.
  public var extreme: Instance?
  /// The cells that changed most, in the direction of the verdict; at most eight, none within noise.
  public var places: [Instance] = []
  /// Cells with more rare events than before, if the metric counts such.
  public var eventCells: [Instance] = []
  /// Number of values that were lost, over all cells and takes, with the reason of the first one.
  public var lost: Int
  public var lossReason: String?

  /// Candidate minus baseline, whichever direction is better.
  public var difference: Double? {
    guard let baseline, let candidate else { return nil }
    return candidate - baseline
  }

  /// Worsening in units of the minimum effect, for ordering figures of different units.
  public var effects: Double? { worsening.map { $0 / minimumEffect } }

  /// True if more takes may show a change that one take does not.
  var isSuspicious: Bool {
    verdict != .withinNoise || lost > 0 || !eventCells.isEmpty
      || 2 * max(abs(worsening ?? 0), abs(difference ?? 0)) >= minimumEffect
  }
}

/// The change in words, for a log.
extension MetricDifference {
  /// The change where it shows most: `sung-male-vowel, voice +4: pitch error 8.4 → 29.8 cents (takes
  /// 7.9–8.8 → 28.1–31)`; `nil` without a value on both sides.
  public var place: String? {
    extreme.map { instance in
      let through =
        instance.condition == Condition.clean.canonical ? "" : " · \(instance.condition)"
      return instance.recording + through + (voice.map { ", " + Score.words(forVoice: $0) } ?? "")
        + ": \(title) \(change(in: instance))"
    }
  }

  /// The place with the reason: what a finding says.
  public var sentence: String { [place, reason].compactMap(\.self).joined(separator: "; ") }

  /// The metric's title: `pitch error`.
  package var title: String { Metric.metric(id: metric)?.title ?? metric }

  /// The figure with its voice: `pitch error, voice +4`.
  package var name: String { title + (voice.map { ", " + Score.words(forVoice: $0) } ?? "") }

  /// The change where it shows most: `from 8.4 to 29.8 cents on sung-male-vowel`.
  package var brief: String? {
    extreme.map { "from \(number($0.baseline)) to \(amount($0.candidate)) on \($0.recording)" }
  }

  private func change(in instance: Instance) -> String {
    func ends(_ takes: ClosedRange<Double>) -> String {
      let (low, high) = (number(takes.lowerBound), number(takes.upperBound))
      return low == high ? low : low + (takes.lowerBound < 0 ? " to " : "–") + high
    }
    var text = "\(number(instance.baseline)) → \(amount(instance.candidate))"
    if let (more, less) = Self.directions[metric] {
      let step = instance.candidate - instance.baseline
      text += ", \(amount(abs(step))) \(step > 0 ? more : less)"
    }
    if let was = instance.baselineTakes, let now = instance.candidateTakes {
      text += " (takes \(ends(was)) → \(ends(now)))"
    }
    return text
  }

  /// Words for a larger and for a smaller value of a figure with a sign.
  private static let directions: [String: (more: String, less: String)] = {
    let delays = ["latency.voice", "latency.onset", "latency.impulse", "latency.alignment"]
    let known = [
      (
        delays + delays.flatMap { ["\($0).p5", "\($0).p95"] } + ["pitch.lag"], ("later", "earlier")
      ),
      (["pitch.bias"], ("sharper", "flatter")), (["timbre.tilt_change"], ("brighter", "duller")),
      (["level.change", "voice.level"], ("louder", "softer")),
    ]
    return Dictionary(uniqueKeysWithValues: known.flatMap { ids, words in ids.map { ($0, words) } })
  }()

  private var isShare: Bool { unit == "share" }

  private func number(_ value: Double) -> String {
    // Rounding errors read as 0.
    let value = abs(value) < minimumEffect / 1000 ? 0 : isShare ? 100 * value : value
    return String(format: abs(value) < 1000 ? "%.3g" : "%.0f", value)
  }

  /// Returns a number with the unit; a share in per cent.
  package func amount(_ value: Double) -> String {
    number(value) + (isShare ? " %" : ["ratio", "count", ""].contains(unit) ? "" : " \(unit)")
  }
}
