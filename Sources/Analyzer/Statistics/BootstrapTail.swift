import DSP
import Foundation

/// How seldom differences that are drawn anew, with repetition, have a mean of zero or on the side
/// where that of the given ones is not: half the p-value of a bootstrap.
///
/// Plain draws count such a share only down to one in their number, and of many figures that are
/// judged together it must be known down to one in millions. Here differences are drawn with chances
/// that are tilted until their mean is zero, so that about half of the draws count, each by how much
/// less often a plain one would be like it: between 0 and `bound`. A share of 1e-12 takes some 2000
/// draws, one of 0.1 takes 300.
///
/// - Guarantee: the share is never above `bound`. What is drawn goes on until draws worth `hits` full
///   ones have counted, as a sequential test does: then its standard error is at most a tenth of the
///   share (1/√hits, since the variance of what lies between 0 and 1 is at most its mean), and it is
///   below half of what endless draws would give with a chance of at most exp(-hits / 4), 1.4e-11
///   (Chernoff). One more hit than there was keeps it above 0.
/// - Cost: about 20 µs, and as much for each 100 draws of 50 differences.
/// - Source: Johns, "Importance sampling for bootstrap confidence intervals", 1988 (the tilt); Besag
///   and Clifford, "Sequential Monte Carlo p-values", 1991 (when to stop); Harrison, "Conservative
///   hypothesis tests and confidence intervals using importance sampling", 2012 (one more hit).
public struct BootstrapTail: Sendable {
  /// What the share is at most: Chernoff's bound.
  public let bound: Double
  /// Whether `bound` is the share itself: no difference lies on the other side.
  public let isExact: Bool

  /// How many full hits are drawn.
  static let hits = 100.0
  /// Where they don't come, what is drawn ends with these.
  static let mostDraws = 100_000

  /// Turned so that their mean is not below 0.
  private let values: [Double]
  /// A value is drawn as often as if exp(-tilt · value) of it were there.
  private let tilt: Double

  /// - Parameter differences: one for each independent recording or singer.
  /// - Returns: `nil` without differences, or of ones that are not finite.
  public init?(_ differences: [Double]) {
    guard let mean = Statistics.mean(differences), differences.allSatisfy(\.isFinite) else {
      return nil
    }
    values = mean < 0 ? differences.map { -$0 } : differences
    let count = Double(values.count)
    isExact = values.allSatisfy { $0 >= 0 }
    if isExact {
      // Only the zeros, again and again.
      (tilt, bound) = (0, pow(Double(values.count { $0 == 0 }) / count, count))
    } else {
      let found = Self.tilt(values)
      tilt = found
      let mean = values.reduce(0) { $0 + exp(-found * $1) } / count
      bound = min(1, pow(mean, count))
    }
  }

  /// The share, drawn unless it is exact.
  public func share(seed: UInt64 = 1) -> Double {
    guard !isExact else { return bound }
    let table = AliasTable(weights: values.map { exp(-tilt * $0) })
    // Sums in another order differ in their last bits; what is zero must count as zero.
    let slack = 1e-12 * values.reduce(0) { $0 + abs($1) }
    var random = SeededGenerator(seed: seed)
    var (weight, draws) = (0.0, 0)
    repeat {
      var sum = 0.0
      for _ in values.indices { sum += values[table.draw(&random)] }
      if sum <= slack { weight += exp(tilt * min(sum, 0)) }
      draws += 1
    } while weight < Self.hits && draws < Self.mostDraws
    return bound * min(1, (weight + 1) / Double(draws + 1))
  }

  /// With which the mean of what is drawn is 0, by Newton's method between bounds that close in.
  ///
  /// - Parameter values: some below 0, and a mean that isn't.
  private static func tilt(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +)
    guard mean > 0 else { return 0 }
    var (low, high) = (0.0, Double.infinity)
    var tilt = mean / values.reduce(0) { $0 + $1 * $1 }
    for _ in 0..<60 {
      let (sum, slope) = values.reduce((0.0, 0.0)) { sums, value in
        let drawn = value * exp(-tilt * value)
        return (sums.0 + drawn, sums.1 + value * drawn)
      }
      if sum > 0 { low = tilt } else { high = tilt }
      var next = tilt + sum / slope
      if !(next > low && next < high) { next = high.isFinite ? (low + high) / 2 : 2 * tilt }
      if abs(next - tilt) <= 1e-9 * tilt { break }
      tilt = next
    }
    return tilt
  }
}
