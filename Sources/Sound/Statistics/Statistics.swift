import Foundation

/// Summary statistics of samples. Inputs must not be NaN, and results never are.
public enum Statistics {
  /// Minimum number of independent values that show their own spread: draws of fewer repeat, and an
  /// interval from them is much too narrow.
  package static let minSpreadCount = 5

  /// Returns a quantile of the values, interpolated linearly; `nil` if there are none.
  ///
  /// - Source: Hyndman and Fan, "Sample quantiles in statistical packages", 1996, definition 7.
  public static func quantile(_ values: [Double], _ share: Double) -> Double? {
    precondition(0...1 ~= share, "a share lies between 0 and 1")
    guard !values.isEmpty else { return nil }
    return quantile(ofSorted: values.sorted(), share)
  }

  /// Returns the same quantile of at least one value in ascending order.
  static func quantile(ofSorted sorted: [Double], _ share: Double) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    let share = position - Double(below)
    let apart = sorted[above] - sorted[below]
    // Between two values that are infinitely far apart lies nothing to interpolate.
    guard apart.isFinite else { return sorted[share < 0.5 ? below : above] }
    return sorted[below] + share * apart
  }

  public static func median(_ values: [Double]) -> Double? { quantile(values, 0.5) }

  /// Returns the median of at least one value in ascending order.
  package static func median(ofSorted sorted: [Double]) -> Double {
    quantile(ofSorted: sorted, 0.5)
  }

  /// Returns the median of at least one value, which it sorts.
  package static func median(sorting values: inout [Float]) -> Double {
    precondition(!values.isEmpty, "the median of no value")
    values.sort()
    let low = values[(values.count - 1) / 2]
    let high = values[values.count / 2]
    return Double(low) + 0.5 * (Double(high) - Double(low))
  }

  public static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Returns the standard deviation, as an estimate for the population; `nil` for fewer than two
  /// values.
  public static func deviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// Returns the confidence interval of the population's median, between two order statistics,
  /// interpolated for the exact coverage.
  ///
  /// It is `nil` for too few values, at 95 % for fewer than six: all of five values lie on one side
  /// of the median in 6 % of cases. Pass one value per recording, never one per frame: frames of
  /// one recording are correlated.
  ///
  /// - Cost: one sort.
  /// - Source: Hettmansperger and Sheather, "Confidence intervals based on interpolated order
  ///   statistics", 1986.
  public static func medianInterval(
    _ values: [Double], confidence: Double = 0.95
  ) -> ClosedRange<Double>? {
    precondition(0.5..<1 ~= confidence, "confidence is a share from one half")
    let (sorted, count) = (values.sorted(), Double(values.count))
    // Each value lies below the median with probability 1/2, so their number is binomial.
    var logChance = -count * log(2)  // of exactly `rank - 1` values below the median
    var rank = 1.0
    var held = 1 - 2 * exp(logChance)  // coverage of the interval from `rank` to its counterpart
    guard held >= confidence else { return nil }
    while true {
      logChance += log((count - rank + 1) / rank)
      let next = held - 2 * exp(logChance)
      guard next < confidence else {
        (rank, held) = (rank + 1, next)
        continue
      }
      let spare = (held - confidence) / (held - next)
      let inward = (count - rank) * spare / (rank + (count - 2 * rank) * spare)
      let (low, high) = (Int(rank) - 1, sorted.count - Int(rank))
      return sorted[low] + inward * (sorted[low + 1] - sorted[low])...sorted[high]
        - inward * (sorted[high] - sorted[high - 1])
    }
  }
}
