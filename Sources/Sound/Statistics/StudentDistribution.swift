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
