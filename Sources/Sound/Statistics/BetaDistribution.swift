import Foundation

/// The beta distribution, from which Student's t and binomial distributions follow.
enum BetaDistribution {
  /// Returns the probability of a value below `x`: the regularized incomplete beta function, to
  /// about 1e-13.
  ///
  /// - Source: the continued fraction of DiDonato and Morris as in Press et al., "Numerical
  ///   Recipes", 2007, 6.4, by Lentz's method.
  static func share(below x: Double, _ a: Double, _ b: Double) -> Double {
    precondition(a > 0 && b > 0, "shapes are positive")
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The fraction converges fast only on this side of the mean.
    if x > (a + 1) / (a + b + 2) { return 1 - share(below: 1 - x, b, a) }
    let logBeta: Double = lgamma(a) + lgamma(b) - lgamma(a + b)
    let logPowers: Double = a * log(x) + b * log1p(-x)
    return exp(logPowers - logBeta) / a * fraction(x, a, b)
  }

  /// Returns the quantile of a share, by bisection.
  static func quantile(_ share: Double, _ a: Double, _ b: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if Self.share(below: middle, a, b) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    func nonzero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
    var result = d
    // The number of steps needed is about the square root of the larger shape.
    for step in 1...10_000 {
      let m = Double(step)
      var change = 1.0
      for numerator in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / nonzero(1 + numerator * d)
        c = nonzero(1 + numerator / c)
        change = c * d
        result *= change
      }
      if abs(change - 1) < 1e-15 { break }
    }
    return result
  }
}
