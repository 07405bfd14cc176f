/// The most pairs that can be made between two sides when each member takes part once.
///
/// Source: Kuhn's augmenting paths, as in Cormen et al., "Introduction to Algorithms", 26.3.
enum BipartiteMatching {
  /// - Parameter candidates: for each member on the left, those on the right it may be paired with.
  static func size(_ candidates: [[Int]], rightCount: Int) -> Int {
    var partner = [Int?](repeating: nil, count: rightCount)
    /// Pairs `left`, moving those in its way on to their other candidates.
    func pair(_ left: Int, _ tried: inout Set<Int>) -> Bool {
      for right in candidates[left] where tried.insert(right).inserted {
        if partner[right].map({ pair($0, &tried) }) ?? true {
          partner[right] = left
          return true
        }
      }
      return false
    }
    return candidates.indices.count { left in
      var tried: Set<Int> = []
      return pair(left, &tried)
    }
  }
}
