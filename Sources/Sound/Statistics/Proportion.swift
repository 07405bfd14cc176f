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
    let half = z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
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
}
