import Metrics

/// The difference of one figure between two runs over the same cells, with its verdict.
public struct MetricDifference: Codable, Equatable, Sendable {
  /// The difference in one cell.
  public struct Instance: Codable, Equatable, Sendable {
    public var recording: String
    public var condition: String
    public var baseline: Double
    public var candidate: Double
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

  /// Mean over recordings with a value on both sides; `nil` if there are none.
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
  /// 95 % interval over recordings, as `DifferenceTest` computes it; `nil` with fewer than five.
  public var interval: ClosedRange<Double>?
  /// P-value of "no change", after Holm's correction over all figures of the comparison.
  public var pValue: Double
  /// P-value of the sign-flip test, uncorrected; a second opinion.
  public var signFlipP: Double?
  /// Minimum effect in the metric's unit.
  public var minimumEffect: Double
  /// Calibrated difference between equal runs.
  public var noise: Double
  /// Effect that these recordings would detect with the power of the test.
  public var minimumDetectableEffect: Double?
  public var verdict: ComparisonVerdict
  /// Reason of the verdict, in words.
  public var reason: String
  /// The cell that got worse by most, or better by most for an improvement.
  public var extreme: Instance?
  /// Cells with more rare events than before, if the metric counts such.
  public var eventCells: [Instance] = []
  /// Number of cells that lost their value, with the reason of the first one.
  public var lost: Int
  public var lossReason: String?

  /// Candidate minus baseline, whichever direction is better.
  public var difference: Double? {
    guard let baseline, let candidate else { return nil }
    return candidate - baseline
  }

  /// Worsening in units of the minimum effect, for ordering figures of different units.
  public var effects: Double? { worsening.map { $0 / minimumEffect } }
}
