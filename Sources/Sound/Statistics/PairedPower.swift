import DSP

/// The power of a paired comparison: the probability of detecting an effect, and the minimum
/// detectable effect.
///
/// It uses the normal approximation. `simulatedPower` checks it with the test actually used and the
/// actual distribution of the differences; prefer it for fewer than a dozen pairs.
///
/// - Source: Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, chapter 2.
public struct PairedPower: Codable, Equatable, Sendable {
  /// Standard deviation of the paired differences, in the unit of the measure.
  public var deviation: Double
  /// Number of independent pairs: recordings or singers.
  public var pairs: Int
  /// Level of the two-sided test.
  public var level: Double

  public init(deviation: Double, pairs: Int, level: Double = 0.05) {
    precondition(deviation >= 0 && pairs > 0 && level > 0 && level < 1, "not a comparison")
    (self.deviation, self.pairs, self.level) = (deviation, pairs, level)
  }

  /// - Returns: `nil` for fewer than two differences.
  public init?(of differences: [Double], level: Double = 0.05) {
    guard let deviation = Statistics.deviation(differences), deviation.isFinite else { return nil }
    self.init(deviation: deviation, pairs: differences.count, level: level)
  }

  private var error: Double { deviation / Double(pairs).squareRoot() }

  /// Returns the probability that the test detects a true mean difference of `effect`.
  public func power(ofEffect effect: Double) -> Double {
    guard error > 0 else { return effect == 0 ? level : 1 }
    let reach = NormalDistribution.quantile(1 - level / 2)
    return NormalDistribution.share(below: abs(effect) / error - reach)
      + NormalDistribution.share(below: -abs(effect) / error - reach)
  }

  /// Returns the mean difference that is detected with a probability of `power`.
  ///
  /// - Parameter threshold: minimum observed mean that counts as a detection.
  public func smallestEffect(power: Double = 0.95, beyond threshold: Double = 0) -> Double {
    precondition(power > level && power < 1, "power lies between the level and 1")
    return max(threshold, error * NormalDistribution.quantile(1 - level / 2))
      + error * NormalDistribution.quantile(power)
  }

  /// Returns the number of pairs needed to detect `effect` with a probability of `power`.
  public func pairsNeeded(forEffect effect: Double, power: Double = 0.95) -> Int {
    precondition(effect != 0, "no number of pairs finds nothing")
    let ratio = smallestEffect(power: power) / abs(effect)
    return max(2, Int((Double(pairs) * ratio * ratio).rounded(.up)))
  }

  /// Returns the share of simulated comparisons in which the sign-flip test detects `effect`. Each
  /// resamples `differences`, shifted so that their mean is the effect.
  ///
  /// - Cost: `sets` tests of `flips` draws (all signs, up to 16 differences); about 50 ms for 20
  ///   differences.
  public static func simulatedPower(
    ofEffect effect: Double, like differences: [Double], level: Double = 0.05, sets: Int = 400,
    flips: Int = 499, seed: UInt64 = 1
  ) -> Double? {
    guard differences.count > 1, let mean = Statistics.mean(differences) else { return nil }
    var random = SeededGenerator(seed: seed)
    let found = (0..<sets).count { _ in
      let drawn = differences.map { _ in
        differences[Int(random.uniform() * Double(differences.count))] - mean + effect
      }
      return SignFlipTest(drawn, draws: flips, seed: random.next())!.pValue <= level
    }
    return Double(found) / Double(sets)
  }
}
