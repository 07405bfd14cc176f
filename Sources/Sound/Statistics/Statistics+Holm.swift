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
