import Foundation

/// A test that values of one side lie above those of another by more than chance: without an effect, each
/// value of a group could as well have come from the other side.
///
/// The statistic is the sum over groups of the difference of both sides' means. Values are exchanged within
/// groups only, so what sets groups apart, such as their recording, does not matter. Nothing is assumed about
/// the shape of their distribution. Groups of one value on each side are pairs, whose exchange is the flip of a
/// sign; pairs of equal size make it the sign test.
///
/// - Cost: exact up to `maxForExact` exchanges, at the square root of their number if groups share them evenly;
///   all of them, about a second, in one group of 13 against 13. Beyond that a saddle-point
///   approximation, right to a few per cent between steps of the distribution and too large by up to a factor of
///   three in its last ones. The generating function of a group is the elementary symmetric polynomial of its
///   exponentials, in the square of the number of its values.
/// - Source: Fisher, "The Design of Experiments", 1935, section 21; Pitman, "Significance tests which may be
///   applied to samples from any populations", 1937; Lugannani and Rice, "Saddle point approximation for the
///   distribution of the sum of independent random variables", 1980.
public struct ExchangeTest: Equatable, Sendable {
  /// Values of one recording, the baseline's and the candidate's.
  public struct Group: Equatable, Sendable {
    public var before, after: [Double]

    public init(before: [Double], after: [Double]) { (self.before, self.after) = (before, after) }

    /// Difference of the means.
    public var difference: Double {
      after.reduce(0, +) / Double(after.count) - before.reduce(0, +) / Double(before.count)
    }

    /// Variance of the difference if all values are exchanged.
    public var variance: Double {
      let deviation = Statistics.deviation(before + after) ?? 0
      return deviation * deviation * (1 / Double(before.count) + 1 / Double(after.count))
    }

    /// Returns the group with all values times a factor.
    public func scaled(by factor: Double) -> Group {
      Group(before: before.map { $0 * factor }, after: after.map { $0 * factor })
    }
  }

  /// Probability that values exchanged at random give a sum at least as large.
  public var pValue: Double
  /// Smallest p-value of such groups: that of one exchange among all.
  public var minPValue: Double

  static let maxForExact = exp2(26.0)

  /// Tests that paired differences lie above 0: each could as well have had the other sign.
  public init?(pairs differences: [Double]) {
    self.init(differences.map { Group(before: [0], after: [$0]) })
  }

  /// - Returns: `nil` without groups, or if a side is empty or a value not finite.
  public init?(_ groups: [Group]) {
    guard !groups.isEmpty,
      groups.allSatisfy({
        !$0.before.isEmpty && !$0.after.isEmpty && ($0.before + $0.after).allSatisfy(\.isFinite)
      })
    else { return nil }
    let sums = groups.map(SubsetSums.init).filter { $0.largest > 0 }
    minPValue = exp(-sums.reduce(0) { $0 + $1.logCount })
    guard let step = sums.map(\.smallestStep).min() else {
      pValue = 1
      return
    }
    let difference = groups.reduce(0) { $0 + $1.difference }
    guard minPValue * Self.maxForExact < 0.999 else {
      pValue = Self.exactTail(sums, from: difference)
      return
    }
    // Sums that can be equal lie a step apart, and half of it belongs to the sum.
    let target = difference - step / 2
    let tail = Self.tail(sums, from: abs(target))
    pValue = min(1, max(minPValue, target > 0 ? tail : 1 - tail))
  }

  /// Counts the exchanges in two halves: each sum of one meets the sums of the other that suffice.
  private static func exactTail(_ groups: [SubsetSums], from sum: Double) -> Double {
    var (low, high) = ([0.0], [0.0])
    for group in groups {
      let own = group.differences
      func added(to sums: [Double]) -> [Double] { sums.flatMap { sum in own.map { sum + $0 } } }
      if low.count <= high.count { low = added(to: low) } else { high = added(to: high) }
    }
    (low, high) = (low.sorted(), high.sorted())
    // The order of a sum affects its last bits; the slack makes equal sums count as equal.
    let needed = sum - 1e-12 * groups.reduce(0) { $0 + $1.largest }
    var (hits, first) = (0, high.count)
    for one in low {
      while first > 0, one + high[first - 1] >= needed { first -= 1 }
      hits += high.count - first
    }
    return Double(hits) / (Double(low.count) * Double(high.count))
  }

  /// Returns the probability that the sum of all groups reaches a positive target.
  private static func tail(_ sums: [SubsetSums], from target: Double) -> Double {
    func cumulants(_ tilt: Double) -> SIMD3<Double> {
      sums.reduce(into: .zero) { $0 += $1.cumulants(atTilt: tilt) }
    }
    guard target < sums.reduce(0, { $0 + $1.largest }) else { return 0 }
    // The tilt at which the mean of the tilted sum is the target, by bisection.
    var (low, high) = (0.0, sums.map { 1 / $0.largest }.min()!)
    // Beyond a hundred doublings rounding hides the rest.
    for _ in 0..<100 where cumulants(high)[1] < target { (low, high) = (high, 2 * high) }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if cumulants(middle)[1] < target { low = middle } else { high = middle }
    }
    let found = cumulants(high)
    let reach = (2 * max(0, high * target - found[0])).squareRoot()
    let spread = high * found[2].squareRoot()
    let density = exp(-reach * reach / 2) / (2 * Double.pi).squareRoot()
    // Near the middle both terms grow beyond all bounds and cancel.
    let bend = reach < 1e-3 ? 0 : density * (1 / spread - 1 / reach)
    return NormalDistribution.share(below: -reach) + bend
  }
}

/// The differences of a group's means under all exchanges.
private struct SubsetSums {
  /// Values around their mean, in the size that each adds to the difference; the largest first.
  private let values: [Double]
  /// Number of values of the later side.
  private let count: Int

  init(_ group: ExchangeTest.Group) {
    let all = group.before + group.after
    let mean = all.reduce(0, +) / Double(all.count)
    let share = 1 / Double(group.before.count) + 1 / Double(group.after.count)
    values = all.map { ($0 - mean) * share }.sorted(by: >)
    count = group.after.count
  }

  /// The largest difference; 0 if all values are equal.
  var largest: Double {
    values[0] - values.last! <= 1e-12 * abs(values[0]) ? 0 : values.prefix(count).reduce(0, +)
  }

  /// The differences of all exchanges.
  var differences: [Double] {
    func sums(of count: Int, from place: Int) -> [Double] {
      if count == 0 { return [0] }
      return (place...values.count - count).flatMap { first in
        sums(of: count - 1, from: first + 1).map { values[first] + $0 }
      }
    }
    return sums(of: count, from: 0)
  }

  var logCount: Double {
    lgamma(Double(values.count + 1)) - lgamma(Double(count + 1))
      - lgamma(Double(values.count - count + 1))
  }

  /// Smallest distance of two values.
  var smallestStep: Double {
    zip(values, values.dropFirst()).map { $0 - $1 }.filter {
      $0 > 1e-12 * (values[0] - values.last!)
    }
    .min() ?? 0
  }

  /// Returns the logarithm of the generating function, and its first two derivatives.
  func cumulants(atTilt tilt: Double) -> SIMD3<Double> {
    // The polynomial of each size with its derivatives, of the values so far, over its largest term. As the
    // largest values come first, no exponential is above 1.
    var sums = [SIMD3<Double>](repeating: .zero, count: count + 1)
    sums[0][0] = 1
    for (place, value) in values.enumerated() {
      for size in stride(from: min(count, place + 1), through: 1, by: -1) {
        let (fewer, below) = (sums[size - 1], value - values[size - 1])
        let slope = fewer[1] + below * fewer[0]
        let bend = fewer[2] + below * (fewer[1] + slope)
        sums[size] += exp(tilt * below) * SIMD3(fewer[0], slope, bend)
      }
    }
    let (whole, slope) = (sums[count][0], sums[count][1] / sums[count][0])
    return SIMD3(
      log(whole) - logCount + tilt * largest, slope + largest,
      sums[count][2] / whole - slope * slope)
  }
}
