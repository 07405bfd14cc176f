/// A test that paired differences are too small to matter: two one-sided t tests, one against each
/// end of a margin.
///
/// A test that finds no difference doesn't prove that there is none; this one does. It assumes a
/// normal mean difference, which a dozen recordings nearly have. Otherwise check that the 90 %
/// interval of a `ClusterBootstrap` lies within the margin, which is the same test at level 0.05
/// without that assumption.
///
/// - Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
///   for assessing the equivalence of average bioavailability", 1987.
public struct EquivalenceTest: Codable, Equatable, Sendable {
  /// Probability of such differences if the mean is outside the margin; small values prove
  /// equivalence.
  public var pValue: Double
  /// The same for the lower end alone, that the mean is not below it; and below for the upper end.
  public var pAboveLower: Double
  public var pBelowUpper: Double
  public var meanDifference: Double
  public var count: Int

  /// - Parameters:
  ///   - differences: one for each independent recording or singer.
  ///   - margin: differences that don't matter, in the same unit. For "not worse by more than d"
  ///     set the other end to infinity.
  /// - Returns: `nil` for fewer than two differences, or if one is not finite.
  public init?(_ differences: [Double], within margin: ClosedRange<Double>) {
    guard let deviation = Statistics.deviation(differences), deviation.isFinite,
      let mean = Statistics.mean(differences)
    else { return nil }
    count = differences.count
    meanDifference = mean
    let error = deviation / Double(count).squareRoot()
    let degrees = Double(count - 1)
    func chance(ofReaching distance: Double) -> Double {
      guard error > 0, distance.isFinite else { return distance > 0 ? 0 : 1 }
      return StudentDistribution.share(above: distance / error, degrees: degrees)
    }
    pAboveLower = chance(ofReaching: mean - margin.lowerBound)
    pBelowUpper = chance(ofReaching: margin.upperBound - mean)
    pValue = max(pAboveLower, pBelowUpper)
  }
}
