import Foundation

/// Summaries of samples of numbers. None of them takes or gives NaN.
public enum Statistics {
  /// The value below which a share of the values lies, interpolated between neighbours; `nil` of
  /// none.
  ///
  /// Source: Hyndman and Fan, "Sample quantiles in statistical packages", 1996, definition 7.
  public static func quantile(_ values: [Double], _ share: Double) -> Double? {
    precondition(0...1 ~= share, "a share lies between 0 and 1")
    guard !values.isEmpty else { return nil }
    return quantile(ofSorted: values.sorted(), share)
  }

  /// The same of at least one value in rising order.
  static func quantile(ofSorted sorted: [Double], _ share: Double) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
  }

  public static func median(_ values: [Double]) -> Double? { quantile(values, 0.5) }

  public static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The spread of values around their mean, as an estimate for the population they come from;
  /// `nil` of fewer than two.
  public static func deviation(_ values: [Double]) -> Double? {
    guard values.count > 1, let mean = mean(values) else { return nil }
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// An interval that holds the median of what such values are drawn from: between the so-manieth
  /// lowest and highest of them, interpolated so that it holds it in just that share of cases.
  ///
  /// `nil` of values too few to be so sure, for 95 % of fewer than six: even all of five values lie
  /// on one side of the median in 6 % of cases. Give one value a recording, never one a frame:
  /// frames of one recording resemble each other.
  ///
  /// - Cost: one sort.
  /// - Source: Hettmansperger and Sheather, "Confidence intervals based on interpolated order
  ///   statistics", 1986.
  public static func medianInterval(
    _ values: [Double], confidence: Double = 0.95
  ) -> ClosedRange<Double>? {
    precondition(0.5..<1 ~= confidence, "confidence is a share from one half")
    let (sorted, count) = (values.sorted(), Double(values.count))
    // Of each value the chance to lie below the median is one half, so how many do is binomial.
    var logChance = -count * log(2)  // that just `rank - 1` values do
    var rank = 1.0
    var held = 1 - 2 * exp(logChance)  // by the interval from `rank` to its counterpart
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
