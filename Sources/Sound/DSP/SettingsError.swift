/// A setting that its processor can't use.
public enum SettingsError: Error, Equatable, CustomStringConvertible {
  case outOfRange(setting: String, value: Double, allowed: ClosedRange<Double>)
  /// A value that another setting, `by`, excludes; `instead` is the remedy.
  case ruledOut(setting: String, value: Double, by: String, instead: String)

  public var description: String {
    switch self {
    case .outOfRange(let setting, let value, let allowed):
      "\(setting) is \(value); choose \(allowed.lowerBound) to \(allowed.upperBound)"
    case .ruledOut(let setting, let value, let other, let instead):
      "\(setting) is \(value), which \(other) cannot do; \(instead)"
    }
  }
}

/// Throws unless `value` is in `allowed`; NaN never is.
public func require(
  _ setting: String, _ value: Double, in allowed: ClosedRange<Double>
) throws(SettingsError) {
  guard allowed.contains(value) else {
    throw .outOfRange(setting: setting, value: value, allowed: allowed)
  }
}
