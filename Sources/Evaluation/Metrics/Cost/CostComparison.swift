import Foundation
import Statistics

/// The cost of a candidate relative to a baseline.
public struct CostComparison: Codable, Equatable, Sendable {
  /// The candidate's cost over the baseline's.
  public var ratio: Double
  public var interval: ClosedRange<Double>
  /// Share of such intervals that contain the true ratio.
  public var confidence: Double
  /// Number of rounds, with those of a second trial.
  public var rounds: Int
  public var verdict: ComparisonVerdict
  /// Minimum effect, as a share.
  public var minimumEffect: Double
  /// Smallest ratio that is found and confirmed with a probability of 95 %.
  public var minimumDetectableRatio: Double
  /// True if a second trial had the same verdict; only regressions and improvements are repeated.
  public var confirmed: Bool

  /// Minimum detectable rise in percent.
  public var detectablePercent: String {
    String(format: "%.1f", 100 * (minimumDetectableRatio - 1))
  }

  /// Compares costs.
  ///
  /// - Parameter minimumEffect: the minimum effect, as a share.
  init(
    ratio: Double, interval: ClosedRange<Double>, confidence: Double, rounds: Int,
    minimumEffect: Double
  ) {
    (self.ratio, self.interval, self.confidence) = (ratio, interval, confidence)
    (self.rounds, confirmed) = (rounds, false)
    self.minimumEffect = minimumEffect
    verdict = Self.verdict(ratio, interval, minimumEffect: minimumEffect)
    minimumDetectableRatio = Self.minimumDetectableEffect(
      interval, confidence: confidence, minimumEffect: minimumEffect)
  }

  /// Returns a regression or an improvement if the change is at least the minimum effect and its
  /// interval is on one side of 1. Returns `withinNoise` if the interval is within the minimum effect.
  static func verdict(
    _ ratio: Double, _ interval: ClosedRange<Double>, minimumEffect: Double
  ) -> ComparisonVerdict {
    let most = 1 + minimumEffect
    if ratio >= most, interval.lowerBound > 1 { return .regression }
    if ratio <= 1 / most, interval.upperBound < 1 { return .improvement }
    let isExcluded = interval.lowerBound >= 1 / most && interval.upperBound <= most
    return isExcluded ? .withinNoise : .inconclusive
  }

  /// Returns the smallest detectable ratio, with the normal approximation of its logarithm. Both
  /// trials must find it, each with a probability of √0.95.
  private static func minimumDetectableEffect(
    _ interval: ClosedRange<Double>, confidence: Double, minimumEffect: Double
  ) -> Double {
    let half = log(interval.upperBound / interval.lowerBound) / 2
    let reach = NormalDistribution.quantile((1 + confidence) / 2)
    let deviation = half / reach
    return exp(
      max(log(1 + minimumEffect), deviation * reach)
        + deviation * NormalDistribution.quantile(0.95.squareRoot()))
  }
}
