import Foundation

/// A cost relative to the calibration workload, to be stored as a baseline for later comparisons.
public struct CalibratedCost: Codable, Equatable, Sendable {
  /// Time of the work over time of the workload, for one repetition each.
  public var ratio: Double
  public var interval: ClosedRange<Double>
  public var confidence: Double
  public var rounds: Int
  public var workloadVersion: Int
  /// The `MachineClass` that it was measured on; `nil` if unknown.
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

  /// Compares with a stored baseline. The squares of both intervals and of the calibration error add
  /// up. A difference that the calibration error alone could cause is within noise if the readings
  /// themselves are.
  ///
  /// - Throws: `CostTrialError.otherWorkload` for a baseline of another version of the workload.
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

  /// Returns true if both are from one class of machine and build, where calibration is more exact.
  public func isOfTheMachine(of other: CalibratedCost) -> Bool {
    machine != nil && machine == other.machine
  }

  private static func halfWidth(_ cost: CalibratedCost) -> Double {
    log(cost.interval.upperBound / cost.interval.lowerBound) / 2
  }
}

/// Trials against a stored baseline.
extension CostTrial {
  /// Measures the work's cost relative to the calibration workload, to store it.
  public func calibrated(_ work: any CostRounds) throws -> CalibratedCost {
    let rounds = try rounds(workload ?? CalibrationWorkload(), work, seed: settings.seed)
    let (ratio, interval) = try ratio(of: rounds)
    return CalibratedCost(
      ratio: ratio, interval: interval, confidence: settings.confidence, rounds: rounds.count,
      workloadVersion: CalibrationWorkload.version, machine: MachineClass.here)
  }

  /// Compares work with a stored baseline. The interval includes the difference of the machines.
  public func compare(
    baseline: CalibratedCost, candidate: any CostRounds
  ) throws -> CostComparison {
    let first = try calibrated(candidate)
    var comparison = try first.comparison(to: baseline, settings)
    guard [.regression, .improvement].contains(comparison.verdict) else { return comparison }
    let again = try CostTrial(
      settings.with(seed: settings.seed &+ 0x5eed), workload: workload)
    let second = try again.calibrated(candidate).comparison(to: baseline, settings)
    comparison.rounds += second.rounds
    comparison.confirmed = second.verdict == comparison.verdict
    if !comparison.confirmed { comparison.verdict = .inconclusive }
    return comparison
  }
}
