/// A test that one group of normal values has a larger variance than another by more than chance.
///
/// - Source: Fisher, "On a distribution yielding the error functions of several well known statistics", 1924.
public struct VarianceRatioTest: Codable, Equatable, Sendable {
  /// Probability of a ratio of variances at least this large if both are equal.
  public var pValue: Double

  /// - Parameters:
  ///   - ratio: variance of the first group over that of the second; infinite if the second has none.
  ///   - degrees: degrees of freedom of both variances.
  public init(ratio: Double, degrees: (Double, Double)) {
    precondition(ratio >= 0 && degrees.0 > 0 && degrees.1 > 0, "variances have degrees of freedom")
    let share = degrees.1 / (degrees.1 + degrees.0 * ratio)
    pValue = BetaDistribution.share(below: share, degrees.1 / 2, degrees.0 / 2)
  }
}
