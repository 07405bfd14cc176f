import DSP

/// What a comparison of pairs could have found: the chance to see an effect of a given size, and
/// the smallest effect that is nearly sure to be seen.
///
/// By the normal approximation; `simulatedPower` checks it with the very test that is used and the
/// very shape of the differences. With fewer than a dozen pairs believe the simulation.
///
/// - Source: Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988, chapter 2.
public struct PairedPower: Codable, Equatable, Sendable {
  /// Of the paired differences, in the unit of the measure.
  public var deviation: Double
  /// Independent pairs: recordings or singers.
  public var pairs: Int
  /// The level of the two-sided test.
  public var level: Double

  public init(deviation: Double, pairs: Int, level: Double = 0.05) {
    precondition(deviation >= 0 && pairs > 0 && level > 0 && level < 1, "not a comparison")
    (self.deviation, self.pairs, self.level) = (deviation, pairs, level)
  }

  /// `nil` of fewer than two differences.
  public init?(of differences: [Double], level: Double = 0.05) {
    guard let deviation = Statistics.deviation(differences), deviation.isFinite else { return nil }
    self.init(deviation: deviation, pairs: differences.count, level: level)
  }

  private var error: Double { deviation / Double(pairs).squareRoot() }

  /// The chance that the test finds a true mean difference of `effect`.
  public func power(ofEffect effect: Double) -> Double {
    guard error > 0 else { return effect == 0 ? level : 1 }
    let reach = NormalDistribution.quantile(1 - level / 2)
    return NormalDistribution.share(below: abs(effect) / error - reach)
      + NormalDistribution.share(below: -abs(effect) / error - reach)
  }

  /// The mean difference that is found with a chance of `power`.
  ///
  /// - Parameter threshold: what the mean that is found must reach besides, to count.
  public func smallestEffect(power: Double = 0.95, beyond threshold: Double = 0) -> Double {
    precondition(power > level && power < 1, "power lies between the level and 1")
    return max(threshold, error * NormalDistribution.quantile(1 - level / 2))
      + error * NormalDistribution.quantile(power)
  }

  /// How many pairs would find `effect` with a chance of `power`.
  public func pairsNeeded(forEffect effect: Double, power: Double = 0.95) -> Int {
    precondition(effect != 0, "no number of pairs finds nothing")
    let ratio = smallestEffect(power: power) / abs(effect)
    return max(2, Int((Double(pairs) * ratio * ratio).rounded(.up)))
  }

  /// The share of simulated comparisons in which the sign-flip test finds `effect`: each draws as
  /// many of `differences` as there are, moved so that their mean is the effect.
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
