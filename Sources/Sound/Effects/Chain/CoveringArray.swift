/// A covering array: a small set of rows that contains every combination of choices of any `strength`
/// factors.
///
/// With strength 2, every pair of choices of two factors is in some row; with strength 1, every choice
/// is; with the number of factors, every combination is. Most faults of combinations depend on two or
/// three factors, so the rows find nearly as many as all combinations would, and are far fewer.
///
/// Rows are made one by one: each begins with the first combination that is still missing and adds,
/// factor by factor, the choice that covers most of the others. The result is deterministic.
///
/// - Cost: rows × factors × choices × combinations of the other factors; 21 choices in 3 places take
///   about 20 ms.
/// - Source: the greedy one-row-at-a-time method of Cohen, Dalal, Fredman and Patton, "The AETG
///   system: an approach to testing based on combinatorial design", 1997, without randomness.
public struct CoveringArray: Equatable, Sendable {
  /// The rows: one choice for each factor, from 0.
  public let rows: [[Int]]

  /// A choice of one factor.
  private struct Choice: Hashable {
    var factor: Int
    var level: Int
  }

  /// Builds the rows.
  ///
  /// - Parameters:
  ///   - levels: the number of choices of each factor.
  ///   - strength: the number of factors whose combinations are covered, from 1 to all.
  ///   - isAllowed: returns false for a partial row (`nil`: not chosen yet) that no row may contain.
  ///     Combinations that no allowed row contains are left out.
  public init(
    levels: [Int], strength: Int, isAllowed: (_ partialRow: [Int?]) -> Bool = { _ in true }
  ) {
    precondition((1...max(1, levels.count)).contains(strength), "no such strength")
    var missing = Set<[Choice]>()
    var inOrder: [[Choice]] = []
    for factors in Self.subsets(of: levels.count, size: strength) {
      for combination in Self.product(factors, levels) where missing.insert(combination).inserted {
        inOrder.append(combination)
      }
    }
    var rows: [[Int]] = []
    for seed in inOrder where missing.contains(seed) {
      var row = [Int?](repeating: nil, count: levels.count)
      for choice in seed { row[choice.factor] = choice.level }
      missing.remove(seed)
      guard isAllowed(row), let full = Self.completed(row, levels, strength, missing, isAllowed)
      else { continue }
      rows.append(full)
      for factors in Self.subsets(of: levels.count, size: strength) {
        missing.remove(factors.map { Choice(factor: $0, level: full[$0]) })
      }
    }
    self.rows = rows
  }

  /// Completes a row; backtracks if a choice leaves no allowed one. Returns `nil` if there is none.
  private static func completed(
    _ row: [Int?], _ levels: [Int], _ strength: Int, _ missing: Set<[Choice]>,
    _ isAllowed: ([Int?]) -> Bool
  ) -> [Int]? {
    guard let factor = row.firstIndex(of: nil) else { return row.compactMap(\.self) }
    let ranked = (0..<levels[factor]).map { level -> (level: Int, gain: Int) in
      (level, gain(of: Choice(factor: factor, level: level), in: row, strength, missing))
    }.sorted { ($0.gain, -$0.level) > ($1.gain, -$1.level) }
    for (level, _) in ranked {
      var next = row
      next[factor] = level
      guard isAllowed(next) else { continue }
      if let full = completed(next, levels, strength, missing, isAllowed) { return full }
    }
    return nil
  }

  /// Counts the missing combinations that a choice covers together with those already in the row.
  private static func gain(
    of choice: Choice, in row: [Int?], _ strength: Int, _ missing: Set<[Choice]>
  ) -> Int {
    let chosen = row.indices.filter { row[$0] != nil }
    guard chosen.count >= strength - 1 else { return 0 }
    return subsets(of: chosen.count, size: strength - 1).count { places in
      let combination =
        places.map { Choice(factor: chosen[$0], level: row[chosen[$0]]!) } + [choice]
      return missing.contains(combination.sorted { $0.factor < $1.factor })
    }
  }

  /// Returns all ways to take `size` of the numbers below `count`, each in order.
  private static func subsets(of count: Int, size: Int) -> [[Int]] {
    guard size > 0 else { return [[]] }
    guard count >= size else { return [] }
    return subsets(of: count - 1, size: size)
      + subsets(of: count - 1, size: size - 1).map { $0 + [count - 1] }
  }

  private static func product(_ factors: [Int], _ levels: [Int]) -> [[Choice]] {
    factors.reduce([[]]) { soFar, factor in
      soFar.flatMap { partial in
        (0..<levels[factor]).map { partial + [Choice(factor: factor, level: $0)] }
      }
    }
  }
}
