import Foundation

/// Successes among trials, with confidence intervals of the probability: answers of a listening
/// test, false alarms of a gate.
public struct Proportion: Codable, Equatable, Sendable {
  public var successes: Int
  public var trials: Int

  public init(_ successes: Int, of trials: Int) {
    precondition(trials > 0 && 0...trials ~= successes, "successes lie among at least one trial")
    (self.successes, self.trials) = (successes, trials)
  }

  public var share: Double { Double(successes) / Double(trials) }

  /// Returns the Wilson interval, whose coverage is right on average; good for few trials and for
  /// shares near 0.
  ///
  /// - Source: Wilson, "Probable inference, the law of succession, and statistical inference",
  ///   1927.
  public func wilson(confidence: Double = 0.95) -> ClosedRange<Double> {
    let z = NormalDistribution.quantile((1 + confidence) / 2)
    let n = Double(trials)
    let middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    let half =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - half)...min(1, middle + half)
  }

  /// Returns the Clopper-Pearson interval, whose coverage is at least the confidence for any
  /// probability; wider.
  ///
  /// - Source: Clopper and Pearson, "The use of confidence or fiducial limits", 1934.
  public func clopperPearson(confidence: Double = 0.95) -> ClosedRange<Double> {
    let tail = (1 - confidence) / 2
    let (k, n) = (Double(successes), Double(trials))
    let lower = successes == 0 ? 0 : BetaDistribution.quantile(tail, k, n - k + 1)
    let upper = successes == trials ? 1 : BetaDistribution.quantile(1 - tail, k + 1, n - k)
    return lower...max(lower, upper)
  }

  /// Returns the exact one-sided p-value: the probability of at least this count at a probability
  /// of `share`.
  public func pValue(above share: Double) -> Double {
    guard successes > 0 else { return 1 }
    return BetaDistribution.share(below: share, Double(successes), Double(trials - successes + 1))
  }

  /// Returns the exact two-sided p-value for equal probabilities: the probability of counts at
  /// least as unlikely as these, with independent trials.
  ///
  /// - Source: Fisher, "On the interpretation of χ² from contingency tables", 1922.
  public func pValue(against other: Proportion) -> Double {
    let all = successes + other.successes
    let range = max(0, all - other.trials)...min(all, trials)
    let total = Self.logChoose(trials + other.trials, all)
    return Self.sumOfUnlikely(range, like: successes) { k in
      Self.logChoose(trials, k) + Self.logChoose(other.trials, all - k) - total
    }
  }

  /// Sums the probabilities of all counts that are no likelier than `count`.
  private static func sumOfUnlikely(
    _ counts: ClosedRange<Int>, like count: Int, logChance: (Int) -> Double
  ) -> Double {
    // Equal probabilities may differ by rounding.
    let most = logChance(count) + 1e-7
    return min(1, counts.reduce(0) { $0 + (logChance($1) <= most ? exp(logChance($1)) : 0) })
  }

  private static func logChoose(_ n: Int, _ k: Int) -> Double {
    lgamma(Double(n + 1)) - lgamma(Double(k + 1)) - lgamma(Double(n - k + 1))
  }
}
