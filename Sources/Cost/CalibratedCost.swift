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
  /// `MachineClass` that it was measured on; `nil` where nobody wrote it down.
  public var machine: String?

  package init(
    ratio: Double, interval: ClosedRange<Double>, confidence: Double, rounds: Int,
    workloadVersion: Int, machine: String? = nil
  ) {
    self.ratio = ratio
    self.interval = interval
    self.confidence = confidence
    self.rounds = rounds
    self.workloadVersion = workloadVersion
    self.machine = machine
  }

  /// The intervals of both and the error of calibration add up by squares. What may differ by
  /// calibration alone doesn't count: it is within noise where the readings themselves are.
  ///
  /// - Throws: where the baseline was measured by another version of the workload.
  package func comparison(
    to baseline: CalibratedCost, _ settings: CostTrial.Settings
  ) throws -> CostComparison {
    guard baseline.workloadVersion == workloadVersion else {
      throw CostTrialError.otherWorkload(baseline.workloadVersion)
    }
    let error = isOfTheMachine(of: baseline) ? settings.calibrationError : settings.foreignError
    let middle = log(ratio / baseline.ratio)
    let reading = hypot(Self.halfWidth(self), Self.halfWidth(baseline))
    let reach = hypot(reading, log1p(error))
    let counts = max(settings.minimumEffect, error)
    var found = CostComparison(
      ratio: exp(middle), interval: exp(middle - reach)...exp(middle + reach),
      confidence: min(confidence, baseline.confidence), rounds: rounds, minimumEffect: counts,
      method: .calibrated)
    if found.verdict == .inconclusive, abs(middle) + reading <= log1p(counts) {
      found.verdict = .withinNoise
    }
    return found
  }

  /// Whether both are of one kind of machine and build, so that what they cost can be told finely.
  public func isOfTheMachine(of other: CalibratedCost) -> Bool {
    machine != nil && machine == other.machine
  }

  private static func halfWidth(_ cost: CalibratedCost) -> Double {
    log(cost.interval.upperBound / cost.interval.lowerBound) / 2
  }
}
