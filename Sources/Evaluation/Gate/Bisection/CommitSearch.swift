/// A binary search for the first bad commit, around commits that can't be tested.
///
/// The commits are numbered from the oldest after the good one; the last one is bad.
struct CommitSearch {
  /// Number of the newest commit known as good; −1 is the good one that the search began with.
  private(set) var good = -1
  /// Number of the oldest commit known as bad.
  private(set) var bad: Int
  private var skipped: Set<Int> = []

  /// - Parameter count: number of commits, at least 1.
  init(count: Int) { bad = count - 1 }

  /// The commit to test next, nearest to the middle; `nil` when no more can be told.
  var next: Int? {
    let open = (good + 1..<bad).filter { !skipped.contains($0) }
    let middle = Double(good + bad) / 2
    return open.min { abs(Double($0) - middle) < abs(Double($1) - middle) }
  }

  mutating func note(_ commit: Int, isBad: Bool) {
    if isBad { bad = commit } else { good = commit }
  }

  mutating func skip(_ commit: Int) { skipped.insert(commit) }

  /// The commits one of which is the first bad one; a single one unless some were skipped.
  var suspects: ClosedRange<Int> { good + 1...bad }
}
