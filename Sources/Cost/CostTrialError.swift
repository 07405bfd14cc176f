/// Why costs can't be compared.
public enum CostTrialError: Error, Equatable, CustomStringConvertible {
  case noTime
  case otherWorkload(Int)

  public var description: String {
    switch self {
    case .noTime: "the work took no time on a core that the clock could tell"
    case .otherWorkload(let version):
      "the baseline was calibrated by version \(version) of the calibration workload, and this is "
        + "version \(CalibrationWorkload.version); measure the baseline again"
    }
  }
}
