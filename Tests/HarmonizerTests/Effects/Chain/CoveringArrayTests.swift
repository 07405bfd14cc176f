import Foundation
import Testing

@testable import Effects

@Suite struct CoveringArrayTests {
  /// Counts the combinations of `strength` factors that no row contains, by brute force.
  private func missing(_ array: CoveringArray, _ levels: [Int], _ strength: Int) -> Int {
    func subsets(_ from: Int, _ size: Int) -> [[Int]] {
      size == 0
        ? [[]]
        : (from..<levels.count).flatMap { first in subsets(first + 1, size - 1).map { [first] + $0 }
        }
    }
    return subsets(0, strength).reduce(0) { count, factors in
      let all = factors.reduce(1) { $0 * levels[$1] }
      return count + all - Set(array.rows.map { row in factors.map { row[$0] } }).count
    }
  }

  @Test(arguments: [
    ([3, 3, 3], 2), ([2, 2, 2, 2, 2, 2, 2], 2), ([5, 3, 2, 4], 2), ([3, 3, 3, 3, 3], 3),
    ([4, 2, 3], 1), ([3, 2, 2], 3), ([7], 1), ([1, 1, 1], 2),
  ])
  func allMeet(levels: [Int], strength: Int) {
    let array = CoveringArray(levels: levels, strength: strength)
    #expect(missing(array, levels, strength) == 0)
    #expect(Set(array.rows).count == array.rows.count)
    #expect(array == CoveringArray(levels: levels, strength: strength))
  }

  /// An array has at least as many rows as its largest factors have combinations. The smallest known
  /// for seven factors of two is 6, for five of three at strength 3 it is 33 (Colbourn's tables). A
  /// greedy array may have half as many again.
  @Test(arguments: [
    ([3, 3, 3], 2, 9), ([2, 2, 2, 2, 2, 2, 2], 2, 6), ([3, 3, 3, 3, 3], 3, 33), ([9, 9, 9], 2, 81),
  ])
  func rowsAreFew(levels: [Int], strength: Int, least: Int) {
    let count = CoveringArray(levels: levels, strength: strength).rows.count
    #expect(count >= least && 2 * count <= 3 * least, "\(count)")
  }

  /// Rows of three different choices out of eight have every two in every two places, in either order.
  @Test func whatIsRefusedIsLeftOut() {
    let array = CoveringArray(levels: [8, 8, 8], strength: 2) { row in
      let chosen = row.compactMap(\.self)
      return Set(chosen).count == chosen.count
    }
    #expect(array.rows.allSatisfy { Set($0).count == 3 })
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
      #expect(Set(array.rows.map { [$0[a], $0[b]] }).count == 8 * 7)
    }
    #expect(array.rows.count >= 56 && array.rows.count <= 84)
  }

  /// Impossible constraints end without rows.
  @Test func nothingMayBeAllowed() {
    #expect(CoveringArray(levels: [2, 2], strength: 2) { _ in false }.rows == [])
    #expect(
      CoveringArray(levels: [2, 2, 2], strength: 2) { Set($0.compactMap(\.self)).count == $0.count }
        .rows == [])
  }
}
