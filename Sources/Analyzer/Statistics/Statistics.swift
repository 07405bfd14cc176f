import DSP

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

  /// An interval that holds the median of such values, by drawing from them again and again.
  ///
  /// `nil` of fewer than three values, which say nothing about their own spread. Draw whole
  /// recordings, never frames: frames of one recording resemble each other.
  ///
  /// Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, 13.3.
  public static func medianInterval(
    _ values: [Double], confidence: Double = 0.95, draws: Int = 1000, seed: UInt64 = 1
  ) -> ClosedRange<Double>? {
    guard values.count >= 3 else { return nil }
    var random = SeededGenerator(seed: seed)
    let count = values.count
    // Counted by rank instead of sorted anew: the same medians in a tenth of the time.
    let order = values.indices.sorted { values[$0] < values[$1] }
    var rank = [Int](repeating: 0, count: count)
    for (place, index) in order.enumerated() { rank[index] = place }
    var times = [Int](repeating: 0, count: count)
    let medians = (0..<draws).map { _ -> Double in
      for place in 0..<count { times[place] = 0 }
      for _ in 0..<count { times[rank[Int(random.uniform() * Double(count))]] += 1 }
      var (place, seen) = (0, times[0])
      while seen <= (count - 1) / 2 {
        place += 1
        seen += times[place]
      }
      let lower = values[order[place]]
      while seen <= count / 2 {
        place += 1
        seen += times[place]
      }
      return lower + (values[order[place]] - lower) * (count % 2 == 0 ? 0.5 : 0)
    }
    let tail = (1 - confidence) / 2
    return quantile(medians, tail)!...quantile(medians, 1 - tail)!
  }
}
