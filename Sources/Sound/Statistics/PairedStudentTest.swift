import Foundation

/// Student's t test of paired differences, which accounts for the uncertainty of their spread when
/// there are few.
///
/// A bootstrap takes the spread of the given differences for that of all. With five normal ones its
/// 95 % interval contains the mean in 85 of 100 cases, and five of the same sign give full
/// certainty. The t test is exact for normal differences, conservative for heavy tails, and
/// slightly too confident for skewed ones: with five exponential ones a coverage of 0.89 instead of
/// 0.95, where a bootstrap has 0.81.
///
/// - Source: Student, "The probable error of a mean", 1908.
public struct PairedStudentTest: Codable, Equatable, Sendable {
  public var meanDifference: Double
  /// Standard error of the mean: the deviation over the root of the count.
  public var error: Double
  public var count: Int

  private var degrees: Double { Double(count - 1) }

  /// - Parameter differences: one for each independent recording or singer.
  /// - Returns: `nil` for fewer than two differences, or if one is not finite.
  public init?(_ differences: [Double]) {
    guard let deviation = Statistics.deviation(differences), deviation.isFinite,
      let mean = Statistics.mean(differences)
    else { return nil }
    count = differences.count
    meanDifference = mean
    error = deviation / Double(count).squareRoot()
  }

  /// Two-sided p-value of a mean of 0. For equal differences it is 0, or 1 if they are 0.
  public var pValue: Double {
    guard error > 0 else { return meanDifference == 0 ? 1 : 0 }
    return min(
      1, 2 * StudentDistribution.share(above: abs(meanDifference) / error, degrees: degrees))
  }

  /// Returns the confidence interval of the true mean.
  public func interval(confidence: Double = 0.95) -> ClosedRange<Double> {
    let reach = error * StudentDistribution.quantile((1 + confidence) / 2, degrees: degrees)
    return meanDifference - reach...meanDifference + reach
  }
}
