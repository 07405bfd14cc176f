import Foundation

/// A test that paired differences lie above zero by more than chance: without an effect, each could as
/// well have had the other sign.
///
/// It assumes that the differences are independent and, without an effect, symmetric around zero. It
/// assumes nothing about their shape. Differences of ±1 make it the sign test.
///
/// - Cost: exact up to `maxForExact` differences, at 2 to the power of half their number; beyond that a
///   saddle-point approximation, which is right to a few per cent between steps of the distribution and too
///   large by up to a factor of three in its last ones.
/// - Source: Fisher, "The Design of Experiments", 1935, section 21; Lugannani and Rice, "Saddle point
///   approximation for the distribution of the sum of independent random variables", 1980.
public struct SignFlipTest: Equatable, Sendable {
  /// Probability that random signs give a sum at least as large.
  public var pValue: Double
  /// Smallest p-value that as many differences can have: one choice of signs.
  public var minPValue: Double

  static let maxForExact = 26

  /// - Returns: `nil` if there are no differences, or if one is not finite.
  public init?(_ differences: [Double]) {
    guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
    // A difference of 0 has no sign.
    let sizes = differences.map(abs).filter { $0 > 0 }
    let sum = differences.reduce(0, +)
    minPValue = exp2(-Double(sizes.count))
    if sizes.isEmpty {
      pValue = 1
    } else if sizes.count <= Self.maxForExact {
      pValue = Self.exactTail(sizes, from: sum)
    } else {
      pValue = Self.approximateTail(sizes, from: sum)
    }
  }

  /// Counts the choices of signs in two halves: each sum of one meets the sums of the other that suffice.
  private static func exactTail(_ sizes: [Double], from sum: Double) -> Double {
    func sums(_ sizes: ArraySlice<Double>) -> [Double] {
      sizes.reduce(into: [0]) { sums, size in sums = sums.map { $0 - size } + sums.map { $0 + size }
      }
      .sorted()
    }
    let (low, high) = (sums(sizes[..<(sizes.count / 2)]), sums(sizes[(sizes.count / 2)...]))
    // The order of a sum affects its last bits; the slack makes equal sums count as equal.
    let needed = sum - 1e-12 * sizes.reduce(0, +)
    var (hits, first) = (0, high.count)
    for one in low {
      while first > 0, one + high[first - 1] >= needed { first -= 1 }
      hits += high.count - first
    }
    return Double(hits) / Double(low.count * high.count)
  }

  private static func approximateTail(_ sizes: [Double], from sum: Double) -> Double {
    // Sums of equal sizes lie two sizes apart, so half a step belongs to the sum.
    let target = sum - sizes.min()!
    guard target != 0 else { return 0.5 }
    func slope(_ tilt: Double) -> Double { sizes.reduce(0) { $0 + $1 * tanh(tilt * $1) } }
    // The tilt at which the mean of the tilted sum is the target, by bisection.
    var (low, high) = (0.0, 1 / sizes.max()!)
    while slope(high) < abs(target) { (low, high) = (high, 2 * high) }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if slope(middle) < abs(target) { low = middle } else { high = middle }
    }
    let (growth, variance) = sizes.reduce((0.0, 0.0)) { sums, size in
      let part = tanh(high * size)
      // log cosh, which overflows.
      let log = high * size + log1p(exp(-2 * high * size)) - log(2)
      return (sums.0 + log, sums.1 + size * size * (1 - part * part))
    }
    let reach = (2 * (high * abs(target) - growth)).squareRoot()
    let density = exp(-reach * reach / 2) / (2 * Double.pi).squareRoot()
    let spread = high * variance.squareRoot()
    // Near the middle both terms grow beyond all bounds and cancel.
    let bend = reach < 1e-3 ? 0 : density * (1 / spread - 1 / reach)
    let tail = NormalDistribution.share(below: -reach) + bend
    return min(1, max(0, target > 0 ? tail : 1 - tail))
  }
}
