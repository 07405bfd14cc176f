extension Statistics {
  /// Returns the value that a t statistic exceeds with a probability of `level` by chance.
  ///
  /// - Parameter degrees: degrees of freedom of the variance; more than 0.
  public static func studentLimit(level: Double, degrees: Double) -> Double {
    precondition(0 < level && level < 0.5 && degrees > 0, "a small level and some freedom")
    return -StudentDistribution.quantile(level, degrees: degrees)
  }
}
