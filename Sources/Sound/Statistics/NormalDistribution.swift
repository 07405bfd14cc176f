import Foundation

/// The standard normal distribution.
public enum NormalDistribution {
  /// Returns the probability of a value below `z`.
  static func share(below z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

  /// Returns the quantile of a share, to about 1e-15; infinite for shares of 0 and 1.
  ///
  /// - Source: the rational approximation of Acklam, 2003 (1e-9), and one step of Halley's method.
  public static func quantile(_ share: Double) -> Double {
    precondition(0...1 ~= share, "a share lies between 0 and 1")
    guard share > 0 else { return -.infinity }
    guard share < 1 else { return .infinity }
    if share > 0.5 { return -quantile(1 - share) }
    let start = start(share)
    let error = (Self.share(below: start) - share) * (2 * .pi).squareRoot() * exp(start * start / 2)
    return start - error / (1 + start * error / 2)
  }

  /// The approximation for shares up to one half.
  private static func start(_ share: Double) -> Double {
    if share < 0.02425 {
      let q = (-2 * log(share)).squareRoot()
      return polynomial(tailOver, q) / (q * polynomial(tailUnder, q) + 1)
    }
    let q = share - 0.5
    return q * polynomial(middleOver, q * q) / (q * q * polynomial(middleUnder, q * q) + 1)
  }

  private static func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reduce(0) { $0 * x + $1 }
  }

  private static let middleOver = [
    -3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
    1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00,
  ]
  private static let middleUnder = [
    -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
    6.680131188771972e+01, -1.328068155288572e+01,
  ]
  private static let tailOver = [
    -7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
    -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00,
  ]
  private static let tailUnder = [
    7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00,
  ]
}
