import Foundation

/// A test that one group of values lies above another by more than chance: without a difference, each
/// order of all values is as likely as any other.
///
/// It asks for ranks only, so it holds for values of any distribution: for counts, for values that come
/// in two clusters, and for some that lie far out.
///
/// - Cost: exact up to `maxForExact` values, a table of their number cubed; a normal limit beyond.
/// - Source: Wilcoxon, "Individual comparisons by ranking methods", 1945; Mann and Whitney, "On a test of
///   whether one of two random variables is stochastically larger than the other", 1947; the variance with
///   ties from Lehmann, "Nonparametrics", 1975, section 1.4.
public struct RankSumTest: Codable, Equatable, Sendable {
  /// Probability of ranks at least this high without a difference.
  public var pValue: Double
  /// Probability of the highest ranks that these numbers of values can have.
  public var minPValue: Double

  /// Maximum number of values of both groups for which all orders are counted.
  static let maxForExact = 64

  /// - Returns: `nil` if one of the groups is empty or a value is not finite.
  public init?(_ values: [Double], above others: [Double]) {
    let all = values + others
    guard !values.isEmpty, !others.isEmpty, all.allSatisfy(\.isFinite) else { return nil }
    // Equal values share a rank, which may be a half.
    let ranks = Statistics.ranks(all).map { Int(2 * $0) }
    let sum = ranks.prefix(values.count).reduce(0, +)
    minPValue = exp(
      lgamma(Double(values.count) + 1) + lgamma(Double(others.count) + 1)
        - lgamma(Double(all.count) + 1))
    pValue =
      all.count <= Self.maxForExact
      ? Self.exactTail(ranks, choosing: values.count, from: sum)
      : Self.normalTail(ranks, choosing: values.count, from: sum)
  }

  /// Returns the share of all choices of `count` ranks that sum to `sum` at least; ranks are doubled.
  private static func exactTail(_ ranks: [Int], choosing count: Int, from sum: Int) -> Double {
    let most = ranks.reduce(0, +)
    // Choices of the ranks so far: their number, by the count of ranks chosen and by their sum.
    var choices = Array(repeating: [Double](repeating: 0, count: most + 1), count: count + 1)
    choices[0][0] = 1
    for (seen, rank) in ranks.enumerated() {
      for chosen in stride(from: min(count, seen + 1), to: 0, by: -1) {
        for total in rank...most where choices[chosen - 1][total - rank] > 0 {
          choices[chosen][total] += choices[chosen - 1][total - rank]
        }
      }
    }
    return choices[count][sum...].reduce(0, +) / choices[count].reduce(0, +)
  }

  /// Returns the same by a normal distribution of the sum, half of the least step further in.
  private static func normalTail(_ ranks: [Int], choosing count: Int, from sum: Int) -> Double {
    let (n, all) = (Double(count), Double(ranks.count))
    let mean = Double(ranks.reduce(0, +)) / all
    let variance =
      ranks.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / (all - 1)
    guard variance > 0 else { return 1 }
    let deviation = (n * (1 - n / all) * variance).squareRoot()
    return NormalDistribution.share(below: (n * mean + 1 - Double(sum)) / deviation)
  }
}
