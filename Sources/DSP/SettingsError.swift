/// A setting that its processor cannot honour.
public enum SettingsError: Error, Equatable, CustomStringConvertible {
  case outOfRange(setting: String, value: Double, allowed: ClosedRange<Double>)
  /// What another choice, `by`, rules out; `instead` is the way out.
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

/// Throws unless `value` lies in `allowed`; NaN never does.
public func require(
  _ setting: String, _ value: Double, in allowed: ClosedRange<Double>
) throws(SettingsError) {
  guard allowed.contains(value) else {
    throw .outOfRange(setting: setting, value: value, allowed: allowed)
  }
}
