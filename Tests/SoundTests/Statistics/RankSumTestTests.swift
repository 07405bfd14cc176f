import DSP
import Foundation
import Statistics
import Testing

@Suite struct RankSumTestTests {
  /// All orders are counted like those of scipy, with ties and without. Many values take a normal
  /// limit, beside permutations that scatter by √(p (1 - p) / 199 999).
  @Test func pValuesAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().rankSum {
      let found = try #require(RankSumTest(vector.values, above: vector.others))
      let isExact = vector.values.count + vector.others.count <= 64
      #expect(abs(found.pValue - vector.p) < (isExact ? 1e-9 : 2e-3), "\(vector.values.count)")
    }
  }

  /// Computed by hand: of the 10 ways to take two of five ranks, one has the two highest and two have a
  /// sum of 8 at least.
  @Test func fiveValuesByHand() throws {
    let apart = try #require(RankSumTest([5, 4], above: [1, 2, 3]))
    #expect(abs(apart.pValue - 0.1) < 1e-12 && abs(apart.minPValue - 0.1) < 1e-12)
    let nearly = try #require(RankSumTest([5, 3], above: [1, 2, 4]))
    #expect(abs(nearly.pValue - 0.2) < 1e-12)
    #expect(try #require(RankSumTest([1, 1], above: [1, 1])).pValue == 1)
    #expect(RankSumTest([], above: [1]) == nil && RankSumTest([1], above: [.nan]) == nil)
  }

  /// Values in two clusters have no normal spread; 5 % of comparisons are significant all the same, and
  /// 600 count that within ±0.9 %.
  @Test func clustersAreNoFinding() throws {
    var random = SeededGenerator(seed: 41)
    func draw(_ count: Int) -> [Double] {
      (0..<count).map { _ in Double(Int.random(in: 0...1, using: &random)) + normal(&random) / 100 }
    }
    let found = try (0..<600).count { _ in
      try #require(RankSumTest(draw(13), above: draw(13))).pValue <= 0.05
    }
    #expect(13...47 ~= found, "\(found) of 600")
  }
}

@Suite struct VarianceRatioTestTests {
  /// Tails of the F distribution by scipy 1.17.
  @Test(arguments: [
    (4.0, 4.0, 4.0, 0.104), (9.5, 4, 12, 0.0010625325465599997), (1, 7, 3, 0.5529203865315162),
    (.infinity, 4, 4, 0),
  ])
  func pValuesAreThoseOfScipy(ratio: Double, first: Double, second: Double, expected: Double) {
    let found = VarianceRatioTest(ratio: ratio, degrees: (first, second)).pValue
    #expect(abs(found - expected) < 1e-12)
  }
}
