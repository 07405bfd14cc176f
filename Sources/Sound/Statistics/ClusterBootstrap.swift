import DSP

/// Confidence intervals of a mean, by resampling whole clusters: quantiles of the draws, corrected for
/// bias and skew ("bias-corrected and accelerated").
///
/// A cluster is what was sampled independently: a recording or a singer, with all its frames, notes
/// or cells. Frames of one recording are correlated, so an interval from resampled frames would be
/// far too narrow.
///
/// - Cost: `draws` means of all clusters.
/// - Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 14.
public struct ClusterBootstrap: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var confidence = 0.95
    public var draws = 2000
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("confidence", confidence, in: 0.5...0.999)
      try require("draws", Double(draws), in: 100...1_000_000)
    }
  }

  /// The mean of the given clusters with its confidence interval.
  public struct Estimate: Codable, Equatable, Sendable {
    public var value: Double
    public var lower: Double
    public var upper: Double
    public var clusters: Int

    public var interval: ClosedRange<Double> { lower...upper }
  }

  /// A reason why there is no interval.
  public enum Failure: Error, Equatable, CustomStringConvertible {
    case tooFewClusters(Int)
    case undefined

    public var description: String {
      switch self {
      case .tooFewClusters(let count):
        "too few independent recordings for their spread: \(count) of "
          + "\(ClusterBootstrap.minClusters)"
      case .undefined: "the mean has no value for these recordings"
      }
    }
  }

  /// Minimum number of clusters; with fewer, draws repeat and the interval is much too narrow.
  public static let minClusters = 5

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Returns the mean of one number per cluster with its interval.
  public func estimate(ofMean values: [Double]) throws(Failure) -> Estimate {
    let count = values.count
    guard count >= Self.minClusters else { throw .tooFewClusters(count) }
    guard let value = Statistics.mean(values), value.isFinite else { throw .undefined }
    var random = SeededGenerator(seed: settings.seed)
    let drawn = (0..<settings.draws).map { _ in
      var sum = 0.0
      for _ in 0..<count { sum += values[Int(random.uniform() * Double(count))] }
      return sum / Double(count)
    }
    let leftOut = values.indices.map { left in
      var sum = 0.0
      for index in values.indices where index != left { sum += values[index] }
      return sum / Double(count - 1)
    }
    let sorted = drawn.sorted()
    let tail = (1 - settings.confidence) / 2
    let ends = correctedShares([tail, 1 - tail], sorted, value, leftOut).map {
      Statistics.quantile(ofSorted: sorted, $0)
    }
    return Estimate(value: value, lower: ends[0], upper: ends[1], clusters: count)
  }

  /// The quantiles of the draws for the interval's ends, corrected for bias and for the change of
  /// the statistic's spread with its value.
  private func correctedShares(
    _ shares: [Double], _ drawn: [Double], _ value: Double, _ leftOut: [Double]
  ) -> [Double] {
    let below = Double(drawn.count { $0 < value }) + 0.5 * Double(drawn.count { $0 == value })
    // Half a draw keeps the bias finite if all draws lie on one side.
    let edge = 0.5 / Double(drawn.count)
    let bias = NormalDistribution.quantile(min(max(below / Double(drawn.count), edge), 1 - edge))
    let mean = leftOut.reduce(0, +) / Double(leftOut.count)
    let (squares, cubes) = leftOut.reduce((0.0, 0.0)) { sum, value in
      let away = mean - value
      return (sum.0 + away * away, sum.1 + away * away * away)
    }
    guard squares > 0 else { return shares }
    let acceleration = cubes / (6 * squares * squares.squareRoot())
    return shares.map { share in
      let moved = bias + NormalDistribution.quantile(share)
      return NormalDistribution.share(below: bias + moved / (1 - acceleration * moved))
    }
  }
}
