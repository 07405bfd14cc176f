/// Correlations of two lists.
enum Correlation {
  /// Returns Pearson's correlation; `nil` if either list is constant.
  static func pearson(_ a: [Double], _ b: [Double]) -> Double? {
    precondition(a.count == b.count, "lists of different lengths")
    guard a.count > 1 else { return nil }
    let count = Double(a.count)
    let (meanA, meanB) = (a.reduce(0, +) / count, b.reduce(0, +) / count)
    let squares = zip(a, b).reduce((aa: 0.0, bb: 0.0, ab: 0.0)) { sums, pair in
      let (x, y) = (pair.0 - meanA, pair.1 - meanB)
      return (sums.aa + x * x, sums.bb + y * y, sums.ab + x * y)
    }
    guard squares.aa > 0, squares.bb > 0 else { return nil }
    return squares.ab / (squares.aa * squares.bb).squareRoot()
  }

  /// Returns Spearman's correlation, with mean ranks for equal values; `nil` if either list is
  /// constant.
  static func spearman(_ a: [Double], _ b: [Double]) -> Double? { pearson(ranks(a), ranks(b)) }

  private static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start
      while end + 1 < order.count, values[order[end + 1]] == values[order[start]] { end += 1 }
      for place in start...end { ranks[order[place]] = Double(start + end) / 2 }
      start = end + 1
    }
    return ranks
  }
}
