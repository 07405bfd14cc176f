import Cost
import Metrics

/// How one figure differs between two runs, over the same cells, with the verdict.
public struct MetricDifference: Codable, Equatable, Sendable {
  /// One recording's share in it.
  public struct Instance: Codable, Equatable, Sendable {
    public var recording: String
    public var condition: String
    public var baseline: Double
    public var candidate: Double
    /// Of the candidate's cell, for `explain`.
    public var cell: String
  }

  public var metric: String
  /// The score's name of the voice; `nil` where the figure is of the whole.
  public var voice: String?
  public var score: String
  /// The subject with its settings.
  public var configuration: String
  public var unit: String
  public var direction: Metric.Direction

  /// Mean over recordings; `nil` where none has a value on both sides any more.
  public var baseline: Double?
  /// Mean over the same recordings.
  public var candidate: Double?
  /// Recordings that have a value on both sides.
  public var recordings: Int
  public var cells: Int
  /// How much worse, in the unit; below 0: better.
  public var worsening: Double?
  /// 95 %, by drawing recordings; `nil` of fewer than five.
  public var interval: ClosedRange<Double>?
  /// Of no change, after Holm's correction over all figures of the comparison.
  public var pValue: Double
  /// Of no change by turning signs, uncorrected; a second opinion.
  public var signFlipP: Double?
  /// What matters.
  public var minimumEffect: Double
  /// What calibration found that two equal runs differ by.
  public var noise: Double
  /// What would have been found with the recordings at hand, nearly surely.
  public var minimumDetectableEffect: Double?
  public var verdict: Verdict
  /// Why, in words.
  public var reason: String
  /// The one that got worse by most (or, of an improvement, better).
  public var extreme: Instance?
  /// Cells that had a value and have none now, with the first one's reason.
  public var lost: Int
  public var lossReason: String?
  /// That it is not worse by more than a margin asked for: the p-value of "it is", by a one-sided t
  /// test. `nil` where nobody asked, or of fewer than two recordings.
  public var notWorseP: Double?

  /// With its sign, whatever is better.
  public var difference: Double? {
    guard let baseline, let candidate else { return nil }
    return candidate - baseline
  }

  /// The worsening in units of what matters: for putting figures of different units in order.
  public var effects: Double? { worsening.map { $0 / minimumEffect } }
}
