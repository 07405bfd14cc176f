import DSP
import Foundation

/// The tail of many values, such as times of blocks, extrapolated beyond the largest one seen.
///
/// Exceedances of a high threshold nearly follow a generalized Pareto law, whatever the values are.
/// Its shape shows whether the tail ends (negative), falls exponentially (0) or as a power
/// (positive).
///
/// **Threshold.** The 95 % quantile, so that the largest twentieth exceeds it; but at least 50
/// values and no more than 2000. Fewer than 50 don't determine the shape to better than ±0.3. A
/// lower threshold would include the body, a higher one would leave too few values; `fitPValue`
/// shows whether the law fits.
///
/// **Domain.** Nearly independent values; bursts of slow blocks make intervals too narrow. Block
/// times that repeat a few steps of a coarse clock don't follow the law, and `fitPValue` shows it.
///
/// - Cost: a fit for each draw, about 1 µs for each exceedance and draw.
/// - Source: Coles, "An Introduction to Statistical Modeling of Extreme Values", 2001, chapter 4;
///   likelihood in one unknown as Grimshaw, "Computing maximum likelihood estimates for the
///   generalized Pareto distribution", 1993.
public struct ParetoTail: Sendable {
  private static let maxExceedances = 2000

  /// A reason why there is no tail.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case tooFew(exceedances: Int)
    case notFinite
    case constant

    public var description: String {
      switch self {
      case .tooFew(let exceedances):
        "only \(exceedances) values exceed the threshold; \(ParetoTail.minCount) are needed"
      case .notFinite: "some values are not finite"
      case .constant: "the values above the threshold are nearly equal"
      }
    }
  }

  /// A level with its confidence interval.
  public struct Level: Codable, Equatable, Sendable {
    public var value: Double
    public var lower: Double
    public var upper: Double
  }

  public static let minCount = 50

  public let threshold: Double
  public let exceedances: Int
  public let count: Int
  public let law: ParetoLaw
  /// Share of samples of the law that fit worse than the values do; don't trust the tail below
  /// 0.05.
  public let fitPValue: Double

  private let profile: ParetoProfile

  /// - Parameters:
  ///   - thresholdShare: share of values below the threshold.
  ///   - draws: number of simulated samples of the law, for testing the fit.
  public init(
    of values: [Double], thresholdShare: Double = 0.95, draws: Int = 200
  ) throws(Failure) {
    guard values.allSatisfy(\.isFinite) else { throw .notFinite }
    let sorted = values.sorted()
    let share = 1 - thresholdShare
    let wanted = min(Int((share * Double(sorted.count)).rounded()), Self.maxExceedances)
    guard wanted >= Self.minCount else { throw .tooFew(exceedances: wanted) }
    // The threshold is a value itself; ties with it are not above it.
    let threshold = sorted[sorted.count - 1 - wanted]
    let above = sorted.suffix(wanted).map { $0 - threshold }.filter { $0 > 0 }
    guard above.count >= Self.minCount else { throw .tooFew(exceedances: above.count) }
    guard let law = ParetoLaw(fitting: above) else { throw .constant }

    var random = SeededGenerator(seed: 1)
    let distance = law.distance(toSorted: above)
    var (fitted, further) = (0, 0)
    for _ in 0..<draws {
      let sample = above.map { _ in law.quantile(random.uniform()) }.sorted()
      guard let other = ParetoLaw(fitting: sample) else { continue }
      fitted += 1
      if other.distance(toSorted: sample) >= distance { further += 1 }
    }
    (self.threshold, self.law) = (threshold, law)
    profile = ParetoProfile(exceedances: above, fitted: law)
    exceedances = above.count
    count = sorted.count
    fitPValue = Double(further + 1) / Double(fitted + 1)
  }

  /// Returns the level that a share of all values stays below, for shares beyond the threshold's;
  /// `nil` for lower ones, which the values themselves show. The interval ignores the small
  /// uncertainty of the share of exceedances.
  public func quantile(_ share: Double, confidence: Double = 0.95) -> Level? {
    guard share < 1, 1 - share < Double(exceedances) / Double(count) else { return nil }
    let ownShare = 1 - (1 - share) * Double(count) / Double(exceedances)
    let interval = profile.interval(ofQuantile: ownShare, confidence: confidence)
    return Level(
      value: threshold + law.quantile(ownShare), lower: threshold + interval.lowerBound,
      upper: threshold + interval.upperBound)
  }
}
