/// The maximum number of pairs between two sides in which each member takes part once.
///
/// - Source: Kuhn's augmenting paths, as in Cormen et al., "Introduction to Algorithms", 26.3.
enum BipartiteMatching {
  /// - Parameter candidates: for each member on the left, its possible partners on the right.
  static func size(_ candidates: [[Int]], rightCount: Int) -> Int {
    var partner = [Int?](repeating: nil, count: rightCount)
    /// Pairs `left`, moving others on to their alternatives if needed.
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
