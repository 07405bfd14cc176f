extension Statistics {
  /// p-values that may be read one by one though many were tested: at level α, the chance of even
  /// one false finding among them is at most α, however they depend on each other.
  ///
  /// - Parameter pValues: of all tests made, in any order, which the answer keeps.
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
