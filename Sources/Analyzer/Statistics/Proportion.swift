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

  /// An interval that covers at least as often as it says, whatever the chance; wider.
  ///
  /// Source: Clopper and Pearson, "The use of confidence or fiducial limits", 1934.
  public func clopperPearson(confidence: Double = 0.95) -> ClosedRange<Double> {
    let tail = (1 - confidence) / 2
    let (k, n) = (Double(successes), Double(trials))
    let lower = successes == 0 ? 0 : BetaDistribution.quantile(tail, k, n - k + 1)
    let upper = successes == trials ? 1 : BetaDistribution.quantile(1 - tail, k + 1, n - k)
    return lower...max(lower, upper)
  }

  /// How often guessing with a chance of `share` gives a count at least as unlikely as this one
  /// (exact, two-sided).
  public func pValue(against share: Double) -> Double {
    precondition(0...1 ~= share, "a share lies between 0 and 1")
    return Self.sumOfUnlikely(0...trials, like: successes) { k in
      Self.logChoose(trials, k) + Self.times(k, log(share)) + Self.times(trials - k, log1p(-share))
    }
  }

  /// How often guessing with a chance of `share` gives at least so many successes.
  public func pValue(above share: Double) -> Double {
    guard successes > 0 else { return 1 }
    return BetaDistribution.share(below: share, Double(successes), Double(trials - successes + 1))
  }

  /// How far this share lies above `other`'s, each from trials of its own.
  ///
  /// Source: Newcombe, "Interval estimation for the difference between independent proportions",
  /// 1998, method 10.
  public func difference(from other: Proportion, confidence: Double = 0.95) -> ClosedRange<Double> {
    let (a, b) = (wilson(confidence: confidence), other.wilson(confidence: confidence))
    let middle = share - other.share
    let down = hypot(share - a.lowerBound, b.upperBound - other.share)
    let up = hypot(a.upperBound - share, other.share - b.lowerBound)
    return middle - down...middle + up
  }

  /// How often two equal chances would give counts at least as unlikely as these (exact,
  /// two-sided), each from trials of its own.
  ///
  /// Source: Fisher, "On the interpretation of χ² from contingency tables", 1922.
  public func pValue(against other: Proportion) -> Double {
    let all = successes + other.successes
    let range = max(0, all - other.trials)...min(all, trials)
    let total = Self.logChoose(trials + other.trials, all)
    return Self.sumOfUnlikely(range, like: successes) { k in
      Self.logChoose(trials, k) + Self.logChoose(other.trials, all - k) - total
    }
  }

  /// Adds up the chances of all counts that are no likelier than `count`.
  private static func sumOfUnlikely(
    _ counts: ClosedRange<Int>, like count: Int, logChance: (Int) -> Double
  ) -> Double {
    // What is equally likely must count as such though rounding differs.
    let most = logChance(count) + 1e-7
    return min(1, counts.reduce(0) { $0 + (logChance($1) <= most ? exp(logChance($1)) : 0) })
  }

  private static func logChoose(_ n: Int, _ k: Int) -> Double {
    lgamma(Double(n + 1)) - lgamma(Double(k + 1)) - lgamma(Double(n - k + 1))
  }

  /// `count` times a logarithm, where nothing times minus infinity is nothing.
  private static func times(_ count: Int, _ logarithm: Double) -> Double {
    count == 0 ? 0 : Double(count) * logarithm
  }
}
