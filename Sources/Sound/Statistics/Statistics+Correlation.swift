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
