import Analyzer
import Foundation

/// What work costs beside the calibration workload, in a form that can be kept: the baseline of a
/// comparison for which the baseline itself is not at hand.
public struct CalibratedCost: Codable, Equatable, Sendable {
  /// Of the work over the workload, each done once.
  public var ratio: Double
  public var interval: ClosedRange<Double>
  public var confidence: Double
  public var rounds: Int
  public var workloadVersion: Int

  /// The intervals of both and the error of calibration add up by squares.
  ///
  /// - Throws: where the baseline was measured by another version of the workload.
  func comparison(
    to baseline: CalibratedCost, _ settings: CostTrial.Settings
  ) throws -> CostComparison {
    guard baseline.workloadVersion == workloadVersion else {
      throw CostTrialError.otherWorkload(baseline.workloadVersion)
    }
    let middle = log(ratio / baseline.ratio)
    let ends = [Self.halfWidth(self), Self.halfWidth(baseline), log1p(settings.calibrationError)]
    let reach = ends.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return CostComparison(
      ratio: exp(middle), interval: exp(middle - reach)...exp(middle + reach),
      confidence: min(confidence, baseline.confidence), rounds: rounds,
      minimumEffect: settings.minimumEffect, method: .calibrated)
  }

  private static func halfWidth(_ cost: CalibratedCost) -> Double {
    log(cost.interval.upperBound / cost.interval.lowerBound) / 2
  }
}
