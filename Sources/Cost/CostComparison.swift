import Foundation
import Statistics

/// What a candidate costs beside a baseline.
public struct CostComparison: Codable, Equatable, Sendable {
  public enum Method: String, Codable, Sendable {
    /// Both at work by turns, in one schedule.
    case interleaved
    /// Each beside a fixed piece of work, at different times or places.
    case calibrated
    /// By count, under valgrind.
    case instructions
  }

  /// The candidate's cost over the baseline's.
  public var ratio: Double
  public var interval: ClosedRange<Double>
  /// How often such intervals hold the true ratio.
  public var confidence: Double
  /// Of readings, those of a second trial included.
  public var rounds: Int
  public var verdict: Verdict
  /// The smallest change that counts, as a share; at least what the method itself may be wrong by.
  public var minimumEffect: Double
  /// What would be found, and confirmed, with a chance of 95 %.
  public var minimumDetectableRatio: Double
  public var method: Method
  /// Whether a second trial said the same; only what matters is tried twice.
  public var confirmed: Bool

  /// - Parameter minimumEffect: the smallest change that matters, as a share.
  init(
    ratio: Double, interval: ClosedRange<Double>, confidence: Double, rounds: Int,
    minimumEffect: Double, method: Method
  ) {
    (self.ratio, self.interval, self.confidence) = (ratio, interval, confidence)
    (self.rounds, self.method, confirmed) = (rounds, method, false)
    self.minimumEffect = minimumEffect
    verdict = Self.verdict(ratio, interval, minimumEffect: minimumEffect)
    minimumDetectableRatio = Self.minimumDetectableEffect(
      interval, confidence: confidence, minimumEffect: minimumEffect)
  }

  /// A change matters where it is as large as the minimum effect and its interval lies to one side
  /// of 1. It is excluded where the interval lies within the minimum effect.
  static func verdict(
    _ ratio: Double, _ interval: ClosedRange<Double>, minimumEffect: Double
  ) -> Verdict {
    let most = 1 + minimumEffect
    if ratio >= most, interval.lowerBound > 1 { return .regression }
    if ratio <= 1 / most, interval.upperBound < 1 { return .improvement }
    let isExcluded = interval.lowerBound >= 1 / most && interval.upperBound <= most
    return isExcluded ? .withinNoise : .inconclusive
  }

  /// By the normal approximation of the logarithm. Both trials must see it, each with a chance of
  /// √0.95.
  private static func minimumDetectableEffect(
    _ interval: ClosedRange<Double>, confidence: Double, minimumEffect: Double
  ) -> Double {
    let half = log(interval.upperBound / interval.lowerBound) / 2
    let reach = PairedPower(deviation: 1, pairs: 1, level: 1 - confidence).smallestEffect(
      power: 0.5)
    let trial = PairedPower(deviation: half / reach, pairs: 1, level: 1 - confidence)
    return exp(
      trial.smallestEffect(power: 0.95.squareRoot(), beyond: log(1 + minimumEffect)))
  }
}
