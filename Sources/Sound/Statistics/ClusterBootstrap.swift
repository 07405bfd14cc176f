import DSP

/// Confidence intervals of any statistic, by resampling whole clusters.
///
/// A cluster is what was sampled independently: a recording or a singer, with all its frames, notes
/// or cells. Frames of one recording are correlated, so an interval from resampled frames would be
/// far too narrow.
///
/// - Cost: `draws` evaluations of the statistic; for `.bca` one more for each cluster.
/// - Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 14.
public struct ClusterBootstrap: Sendable {
  public enum Method: String, Codable, Sendable {
    /// Quantiles of the draws.
    case percentile
    /// Quantiles corrected for bias and skew ("bias-corrected and accelerated").
    case bca
  }

  public struct Settings: Codable, Equatable, Sendable {
    public var method = Method.bca
    public var confidence = 0.95
    public var draws = 2000
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("confidence", confidence, in: 0.5...0.999)
      try require("draws", Double(draws), in: 100...1_000_000)
    }
  }

  /// A statistic of the given clusters with its confidence interval.
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
    case unpaired(Int, Int)
    case undefined

    public var description: String {
      switch self {
      case .tooFewClusters(let count):
        "too few independent recordings for their spread: \(count) of "
          + "\(ClusterBootstrap.fewestClusters)"
      case .unpaired(let a, let b):
        "\(a) and \(b) recordings don't make pairs; measure the same recordings on both sides"
      case .undefined: "the statistic has no value for these recordings"
      }
    }
  }

  /// Minimum number of clusters; with fewer, draws repeat and the interval is much too narrow.
  public static let fewestClusters = 5

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Returns the statistic with its interval.
  ///
  /// - Parameter statistic: a function of any clusters, in any order and with repetitions; `nil` if
  ///   undefined. Draws without a value are omitted, at most one in twenty.
  public func estimate<Cluster>(
    of clusters: [Cluster], _ statistic: ([Cluster]) -> Double?
  ) throws(Failure) -> Estimate {
    let count = clusters.count
    guard count >= Self.fewestClusters else { throw .tooFewClusters(count) }
    guard let value = statistic(clusters), value.isFinite else { throw .undefined }
    var random = SeededGenerator(seed: settings.seed)
    var drawn: [Double] = []
    var draw = clusters
    for _ in 0..<settings.draws {
      for i in 0..<count { draw[i] = clusters[Int(random.uniform() * Double(count))] }
      if let value = statistic(draw), value.isFinite { drawn.append(value) }
    }
    guard drawn.count * 20 >= settings.draws * 19 else { throw .undefined }
    let leftOut = settings.method == .bca ? try leavingOneOut(clusters, statistic) : []
    return estimate(value, clusters: count, drawn: drawn, leftOut: leftOut)
  }

  /// Returns the mean of one number per cluster with its interval, much faster.
  public func estimate(ofMean values: [Double]) throws(Failure) -> Estimate {
    let count = values.count
    guard count >= Self.fewestClusters else { throw .tooFewClusters(count) }
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
    return estimate(value, clusters: count, drawn: drawn, leftOut: leftOut)
  }

  /// - Parameter leftOut: the statistic without each one of the clusters; only for `.bca`.
  private func estimate(
    _ value: Double, clusters: Int, drawn: [Double], leftOut: [Double]
  ) -> Estimate {
    let drawn = drawn.sorted()
    let tail = (1 - settings.confidence) / 2
    var shares = [tail, 1 - tail]
    if settings.method == .bca { shares = correctedShares(shares, drawn, value, leftOut) }
    let ends = shares.map { Statistics.quantile(ofSorted: drawn, $0) }
    return Estimate(value: value, lower: ends[0], upper: ends[1], clusters: clusters)
  }

  /// Returns the difference of a statistic between `candidates` and `baselines`, which come from
  /// the same recordings in the same order: each draw takes the same recordings of both.
  public func difference<Cluster>(
    of candidates: [Cluster], from baselines: [Cluster], _ statistic: ([Cluster]) -> Double?
  ) throws(Failure) -> Estimate {
    guard candidates.count == baselines.count else {
      throw .unpaired(candidates.count, baselines.count)
    }
    return try estimate(of: Array(zip(candidates, baselines))) { pairs in
      guard let candidate = statistic(pairs.map(\.0)), let baseline = statistic(pairs.map(\.1))
      else { return nil }
      return candidate - baseline
    }
  }

  private func leavingOneOut<Cluster>(
    _ clusters: [Cluster], _ statistic: ([Cluster]) -> Double?
  ) throws(Failure) -> [Double] {
    var values: [Double] = []
    for index in clusters.indices {
      var rest = clusters
      rest.remove(at: index)
      guard let value = statistic(rest), value.isFinite else { throw .undefined }
      values.append(value)
    }
    return values
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
