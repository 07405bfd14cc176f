/// Trials for which the baseline is not at hand.
extension CostTrial {
  /// What the work costs beside the calibration workload: to be kept for a later comparison.
  public func calibrated(_ work: any CostRounds) throws -> CalibratedCost {
    let rounds = try rounds(workload ?? CalibrationWorkload(), work, seed: settings.seed)
    let (ratio, interval) = try ratio(of: rounds)
    return CalibratedCost(
      ratio: ratio, interval: interval, confidence: settings.confidence, rounds: rounds.count,
      workloadVersion: CalibrationWorkload.version, machine: MachineClass.here)
  }

  /// Beside a baseline that is not at hand any more. Whatever the two machines differ in is part of
  /// the interval.
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
