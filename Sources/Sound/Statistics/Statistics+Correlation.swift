extension Statistics {
  /// Returns the ranks of values from 1; equal values share the mean of theirs.
  public static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in order[start..<end] { ranks[place] = Double(start + end + 1) / 2 }
      start = end
    }
    return ranks
  }

  /// Returns Pearson's correlation of two lists of one length; `nil` if either is constant.
  public static func pearson(_ a: [Double], _ b: [Double]) -> Double? {
    precondition(a.count == b.count, "lists of different lengths")
    guard let meanA = mean(a), let meanB = mean(b) else { return nil }
    var (product, squareA, squareB) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      product += (x - meanA) * (y - meanB)
      squareA += (x - meanA) * (x - meanA)
      squareB += (y - meanB) * (y - meanB)
    }
    guard squareA > 0, squareB > 0 else { return nil }
    return product / (squareA * squareB).squareRoot()
  }

  /// Returns Spearman's correlation of two lists of one length; `nil` if either is constant.
  public static func spearman(_ a: [Double], _ b: [Double]) -> Double? {
    pearson(ranks(a), ranks(b))
  }
}

extension Statistics {
  /// Returns p-values corrected for the number of tests: at level α, the probability of even one
  /// false finding among them is at most α, for any dependence.
  ///
  /// - Parameter pValues: p-values of all tests made; the result has the same order.
  /// - Source: Holm, "A simple sequentially rejective multiple test procedure", 1979.
  public static func holmAdjusted(_ pValues: [Double]) -> [Double] {
    precondition(pValues.allSatisfy { 0...1 ~= $0 }, "p-values lie between 0 and 1")
    var adjusted = pValues
    var highest = 0.0
    for (rank, index) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
      highest = max(highest, min(1, Double(pValues.count - rank) * pValues[index]))
      adjusted[index] = highest
    }
    return adjusted
  }
}
