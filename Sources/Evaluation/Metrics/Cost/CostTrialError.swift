/// Costs that can't be compared.
public enum CostTrialError: Error, Equatable, CustomStringConvertible {
  case noTime
  case otherWorkload(Int)

  public var description: String {
    switch self {
    case .noTime:
      "the work took no time that the clock can measure; give it a longer sound or more work"
    case .otherWorkload(let version):
      "the baseline was calibrated with version \(version) of the calibration workload, but this is "
        + "version \(CalibrationWorkload.version); measure the baseline again"
    }
  }
}
