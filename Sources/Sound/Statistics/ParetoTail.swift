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
  public struct Settings: Codable, Equatable, Sendable {
    /// Share of values below the threshold.
    public var thresholdShare = 0.95
    public var mostExceedances = 2000
    public var confidence = 0.95
    /// Number of simulated samples of the law, for testing the fit.
    public var draws = 200
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("thresholdShare", thresholdShare, in: 0.5...0.9999)
      try require("mostExceedances", Double(mostExceedances), in: 50...1_000_000)
      try require("confidence", confidence, in: 0.5...0.99)
      try require("draws", Double(draws), in: 100...100_000)
    }
  }

  /// A reason why there is no tail.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case tooFew(exceedances: Int)
    case notFinite
    case constant

    public var description: String {
      switch self {
      case .tooFew(let exceedances):
        "only \(exceedances) values exceed the threshold; \(ParetoTail.fewest) are needed"
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

  public static let fewest = 50

  public let settings: Settings
  public let threshold: Double
  public let exceedances: Int
  public let count: Int
  public let law: ParetoLaw
  /// Share of samples of the law that fit worse than the values do; don't trust the tail below
  /// 0.05.
  public let fitPValue: Double

  private let profile: ParetoProfile

  public init(of values: [Double], _ settings: Settings = Settings()) throws {
    try settings.validate()
    guard values.allSatisfy(\.isFinite) else { throw Failure.notFinite }
    let sorted = values.sorted()
    let share = 1 - settings.thresholdShare
    let wanted = min(Int((share * Double(sorted.count)).rounded()), settings.mostExceedances)
    guard wanted >= Self.fewest else { throw Failure.tooFew(exceedances: wanted) }
    // The threshold is a value itself; ties with it are not above it.
    let threshold = sorted[sorted.count - 1 - wanted]
    let above = sorted.suffix(wanted).map { $0 - threshold }.filter { $0 > 0 }
    guard above.count >= Self.fewest else { throw Failure.tooFew(exceedances: above.count) }
    guard let law = ParetoLaw(fitting: above) else { throw Failure.constant }

    var random = SeededGenerator(seed: settings.seed)
    let distance = law.distance(toSorted: above)
    var (fitted, further) = (0, 0)
    for _ in 0..<settings.draws {
      let sample = above.map { _ in law.quantile(random.uniform()) }.sorted()
      guard let other = ParetoLaw(fitting: sample) else { continue }
      fitted += 1
      if other.distance(toSorted: sample) >= distance { further += 1 }
    }
    (self.settings, self.threshold, self.law) = (settings, threshold, law)
    profile = ParetoProfile(exceedances: above, fitted: law)
    exceedances = above.count
    count = sorted.count
    fitPValue = Double(further + 1) / Double(fitted + 1)
  }

  /// Returns the level that a share of all values stays below, for shares beyond the threshold's;
  /// `nil` for lower ones, which the values themselves show. The interval ignores the small
  /// uncertainty of the share of exceedances.
  public func quantile(_ share: Double) -> Level? {
    guard share < 1, 1 - share < Double(exceedances) / Double(count) else { return nil }
    let ownShare = 1 - (1 - share) * Double(count) / Double(exceedances)
    let interval = profile.interval(ofQuantile: ownShare, confidence: settings.confidence)
    return Level(
      value: threshold + law.quantile(ownShare), lower: threshold + interval.lowerBound,
      upper: threshold + interval.upperBound)
  }

  /// Returns the level exceeded once, on average, in `number` values. With the number of blocks in
  /// an hour it is the maximum to expect in an hour.
  public func levelExceededOnce(among number: Double) -> Level? {
    quantile(1 - 1 / number)
  }
}
