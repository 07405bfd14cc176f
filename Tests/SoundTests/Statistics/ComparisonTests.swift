import DSP
import Foundation
import Testing

@testable import Statistics

@Suite struct ExchangeTestTests {
  /// Every exchange is counted by the second source and, up to 2 to the power of 26, by the test; beyond it the
  /// approximation errs by at most a tenth.
  @Test func pValuesAreThoseOfEveryExchange() throws {
    for vector in try StatisticsVectors.read().exchange {
      let groups = vector.groups.map { ExchangeTest.Group(before: $0.before, after: $0.after) }
      let found = try #require(ExchangeTest(groups))
      let isExact = found.minPValue > exp2(-26)
      #expect(
        abs(found.pValue / vector.p - 1) < (isExact ? 1e-9 : 0.1), "\(found) for \(vector.p)")
    }
  }

  /// Pairs are exchanged by the flip of a sign. The exact test counts all signs; the approximation errs by at
  /// most a fifth down to one in 1e9, and by hardly anything where a p-value is moderate.
  @Test func pairsAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().signFlip {
      let found = try #require(ExchangeTest(pairs: vector.values)).pValue
      let tolerance = vector.values.count <= 26 ? 1e-9 : vector.p > 1e-3 ? 0.01 : 0.2
      #expect(abs(found / vector.p - 1) < tolerance, "\(vector.values.count): \(found)")
    }
  }

  /// Computed by hand: of the 8 choices of signs of 1, 2, 3 only all plus reach a sum of 6. A difference of 0
  /// has no sign.
  @Test func threePairsByHand() throws {
    #expect(try #require(ExchangeTest(pairs: [1, 2, 3])).pValue == 1.0 / 8)
    #expect(abs(try #require(ExchangeTest(pairs: [1, 0, 2, 3])).minPValue - 1.0 / 8) < 1e-12)
    #expect(try #require(ExchangeTest(pairs: [-1, -2, -3])).pValue == 1)
    #expect(try #require(ExchangeTest(pairs: [0, 0, 0])).pValue == 1)
    #expect(ExchangeTest(pairs: []) == nil && ExchangeTest(pairs: [1, .nan]) == nil)
  }

  /// Equal sizes are the sign test, whose p-value is binomial: of 40 signs one is minus in 40 choices. The
  /// approximation is too large there, never too small.
  @Test func equalPairsAreTheSignTest() throws {
    let found = try #require(ExchangeTest(pairs: [-1] + Array(repeating: 1, count: 39))).pValue
    #expect(1...2 ~= found / (41 * exp2(-40.0)))
  }

  /// Computed by hand: of the 20 choices of three among six, one has the three largest.
  @Test func sidesThatLieApart() throws {
    let group = ExchangeTest.Group(before: [1, 2, 3], after: [4, 5, 6])
    let found = try #require(ExchangeTest([group]))
    #expect(abs(found.minPValue - 1.0 / 20) < 1e-12)
    #expect(abs(found.pValue - 1.0 / 20) < 1e-12)
    let other = ExchangeTest.Group(before: group.after, after: group.before)
    #expect(try #require(ExchangeTest([other])).pValue > 0.95)
    let equal = ExchangeTest.Group(before: [2, 2], after: [2, 2])
    #expect(try #require(ExchangeTest([equal])).pValue == 1)
    #expect(ExchangeTest([]) == nil && ExchangeTest([.init(before: [1], after: [])]) == nil)
  }

  /// Without an effect, 5 % of comparisons are significant; 600 count that within ±0.9 %.
  @Test(arguments: [20, 40]) func falsePositivesOfPairsAreAsFrequentAsStated(count: Int) throws {
    var random = SeededGenerator(seed: 31)
    let found = try (0..<600).count { _ in
      try #require(ExchangeTest(pairs: (0..<count).map { _ in normal(&random) })).pValue <= 0.05
    }
    #expect(13...47 ~= found, "\(found) of 600")
  }

  /// Without an effect, 5 % of comparisons are significant; 600 count that within ±0.9 %.
  @Test func falsePositivesAreAsFrequentAsStated() throws {
    var random = SeededGenerator(seed: 32)
    let found = try (0..<600).count { _ in
      let groups = (1...5).map { size in
        let values = (0..<10).map { _ in Double(size) * exp(normal(&random)) }
        return ExchangeTest.Group(before: Array(values[..<5]), after: Array(values[5...]))
      }
      return try #require(ExchangeTest(groups)).pValue <= 0.05
    }
    #expect(13...47 ~= found, "\(found) of 600")
  }
}

@Suite struct HolmTests {
  @Test func adjustedValuesAreThoseOfStatsmodels() throws {
    for vector in try StatisticsVectors.read().holm {
      let found = Statistics.holmAdjusted(vector.p)
      #expect(zip(found, vector.adjusted).allSatisfy { abs($0 - $1) < 1e-12 })
    }
  }

  /// Computed by hand: 3 · 0.01, 2 · 0.03, and 0.04 raised to the one before.
  @Test func threeTestsByHand() {
    let found = Statistics.holmAdjusted([0.04, 0.01, 0.03])
    #expect(zip(found, [0.06, 0.03, 0.06]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(Statistics.holmAdjusted([]).isEmpty)
  }
}

@Suite struct PairedStudentTestTests {
  @Test func valuesAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().student {
      let found = try #require(PairedStudentTest(vector.values))
      #expect(abs(found.pValue / vector.p - 1) < 1e-8)
      #expect(abs(found.interval().lowerBound - vector.lower) < 1e-8)
      #expect(abs(found.interval().upperBound - vector.upper) < 1e-8)
    }
  }

  /// Differences without spread are certain.
  @Test func equalDifferences() throws {
    let equal = try #require(PairedStudentTest([3, 3, 3]))
    #expect(equal.pValue == 0 && equal.interval() == 3...3)
    #expect(try #require(PairedStudentTest([0, 0])).pValue == 1)
    #expect(PairedStudentTest([1]) == nil && PairedStudentTest([1, .nan]) == nil)
  }
}

/// A sum of twelve uniform draws, nearly normal.
private func normal(_ random: inout SeededGenerator) -> Double {
  (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
}
