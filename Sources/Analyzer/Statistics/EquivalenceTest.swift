/// Whether paired differences are shown to be too small to matter: two one-sided t tests, one
/// against each end of a margin.
///
/// A test that finds no difference doesn't show that there is none; this one does. It asks that the
/// mean difference be normal, which that of a dozen recordings nearly is; where it is not, ask
/// instead whether the 90 % interval of a `ClusterBootstrap` lies in the margin, which is the same
/// test at level 0.05 without that assumption.
///
/// - Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach
///   for assessing the equivalence of average bioavailability", 1987.
public struct EquivalenceTest: Codable, Equatable, Sendable {
  /// The chance of differences like these although the mean lies outside the margin; small means
  /// shown to be equivalent.
  public var pValue: Double
  /// The same for each end alone: that the mean is not below it, and not above it.
  public var pAboveLower: Double
  public var pBelowUpper: Double
  public var meanDifference: Double
  public var count: Int

  /// - Parameters:
  ///   - differences: one for each independent recording or singer.
  ///   - margin: what doesn't matter, in the same unit; for "not worse by more than d" leave the
  ///     other end infinite.
  /// - Returns: `nil` of fewer than two differences or ones that are not finite.
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
