import Foundation

/// Student's t distribution.
enum StudentDistribution {
  /// Returns the probability of a value above `t`.
  static func share(above t: Double, degrees: Double) -> Double {
    let half = BetaDistribution.share(below: degrees / (degrees + t * t), degrees / 2, 0.5) / 2
    return t > 0 ? half : 1 - half
  }

  /// Returns the quantile of a share.
  static func quantile(_ share: Double, degrees: Double) -> Double {
    guard share != 0.5 else { return 0 }
    let tail = min(share, 1 - share)
    let x = BetaDistribution.quantile(2 * tail, degrees / 2, 0.5)
    let t = (degrees * (1 - x) / x).squareRoot()
    return share < 0.5 ? -t : t
  }

  /// Returns the probability of a noncentral t value above `t`: the power of a t test.
  ///
  /// The value is a standard normal one, shifted by `noncentrality`, over the root of an
  /// independent mean square. The integral over all mean squares uses Simpson's rule in steps of a
  /// twentieth of their deviation; it is exact to about 1e-8.
  static func share(above t: Double, degrees: Double, noncentrality: Double) -> Double {
    // The root of a mean square is within `reach` of 1, but for a probability of 1e-20.
    let reach = 7 / degrees.squareRoot()
    let (low, high) = (max(0, 1 - reach), 1 + reach)
    let steps = 400
    let constant = log(2) + degrees / 2 * log(degrees / 2) - lgamma(degrees / 2)
    var sum = 0.0
    for step in 0...steps {
      let root = low + (high - low) * Double(step) / Double(steps)
      let weight = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4 : 2
      // The density at 0 is 0, except for a single degree.
      let logarithm = degrees > 1 ? (degrees - 1) * log(root) : 0
      let density = exp(constant + logarithm - degrees * root * root / 2)
      sum += weight * density * NormalDistribution.share(below: noncentrality - t * root)
    }
    return sum * (high - low) / Double(3 * steps)
  }
}

extension Statistics {
  /// Returns the value that a t statistic exceeds with a probability of `level` by chance.
  ///
  /// - Parameter degrees: degrees of freedom of the variance; more than 0.
  public static func studentLimit(level: Double, degrees: Double) -> Double {
    precondition(0 < level && level < 0.5 && degrees > 0, "a small level and some freedom")
    return -StudentDistribution.quantile(level, degrees: degrees)
  }

  /// Returns the probability that a t statistic exceeds `t` by chance.
  ///
  /// - Parameter degrees: degrees of freedom of the variance; more than 0.
  public static func studentShare(above t: Double, degrees: Double) -> Double {
    precondition(degrees > 0, "some freedom")
    return StudentDistribution.share(above: t, degrees: degrees)
  }
}
