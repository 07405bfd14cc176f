import DSP
import Foundation
import Statistics
import Testing

@Suite struct SignFlipTestTests {
  /// The exact test counts all signs like scipy. Drawn signs scatter on both sides, by √(p (1 - p)
  /// / 9999) here.
  @Test func pValuesAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().signFlip {
      let alternative = try #require(SignFlipTest.Alternative(rawValue: vector.alternative))
      let found = try #require(SignFlipTest(vector.values, alternative))
      #expect(found.isExact == (vector.values.count <= 16))
      let scatter = (vector.p * (1 - vector.p) / 9999).squareRoot()
      #expect(abs(found.pValue - vector.p) < (found.isExact ? 1e-12 : 3 * scatter))
    }
  }

  /// Computed by hand: of the 8 sign combinations of 1, 2, 3 only all plus and all minus reach a
  /// sum of 6.
  @Test func threeDifferencesByHand() throws {
    #expect(try #require(SignFlipTest([1, 2, 3])).pValue == 2.0 / 8)
    #expect(try #require(SignFlipTest([1, 2, 3], .greater)).pValue == 1.0 / 8)
    #expect(try #require(SignFlipTest([1, 2, 3], .less)).pValue == 1)
    #expect(try #require(SignFlipTest([0, 0, 0])).pValue == 1)
    #expect(SignFlipTest([]) == nil && SignFlipTest([1, .nan]) == nil)
  }

  /// Without an effect, 5 % of comparisons are significant; 600 count that within ±0.9 %. p is
  /// never 0.
  @Test func falsePositivesAreAsFrequentAsStated() throws {
    var random = SeededGenerator(seed: 31)
    let found = try (0..<600).count { _ in
      let differences = (0..<20).map { _ in normal(&random) }
      return try #require(SignFlipTest(differences, draws: 199, seed: random.next())).pValue <= 0.05
    }
    #expect(13...47 ~= found, "\(found) of 600")
    let sure = try #require(SignFlipTest((0..<70).map { Double($0 + 1) }, draws: 99))
    #expect(sure.pValue == 0.01)
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

@Suite struct EquivalenceTests {
  /// The mean is within a margin if it is below the upper end and, with the signs turned, below the
  /// turned lower end.
  @Test func pValuesAreThoseOfStatsmodels() throws {
    for vector in try StatisticsVectors.read().equivalence {
      let upper = try #require(PairedStudentTest(vector.values)).pValue(below: vector.margin)
      let lower = try #require(PairedStudentTest(vector.values.map { -$0 }))
        .pValue(below: vector.margin)
      // The tolerance is relative because values go down to 1e-7.
      #expect(abs(lower / vector.pLower - 1) < 1e-8)
      #expect(abs(upper / vector.pUpper - 1) < 1e-8)
      #expect(abs(max(lower, upper) / vector.p - 1) < 1e-8)
    }
  }

  @Test func marginsMayBeInfiniteAndDifferencesEqual() throws {
    #expect(try #require(PairedStudentTest([0.1, 0.3, 0.2])).pValue(below: .infinity) == 0)
    #expect(try #require(PairedStudentTest([0, 0, 0])).pValue(below: 1) == 0)
    #expect(try #require(PairedStudentTest([2, 2, 2])).pValue(below: 1) == 1)
  }
}

@Suite struct PairedStudentTestTests {
  /// p-values and intervals agree within rounding; the minimum detectable effect within the
  /// integration error, 1e-6.
  @Test func valuesAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().student {
      let found = try #require(PairedStudentTest(vector.values))
      #expect(abs(found.pValue / vector.p - 1) < 1e-8)
      #expect(abs(found.interval().lowerBound - vector.lower) < 1e-8)
      #expect(abs(found.interval().upperBound - vector.upper) < 1e-8)
      #expect(abs(found.smallestEffect() / vector.smallest - 1) < 1e-6)
      let ofHundred = found.smallestEffect(level: 0.05 / 100)
      #expect(abs(ofHundred / vector.smallestOfHundred - 1) < 1e-6)
    }
  }

  /// Differences without spread are certain. A threshold is reached half the time by an effect of
  /// its size, and in 95 of 100 cases by one 1.645 errors larger.
  @Test func equalDifferencesAndThresholds() throws {
    let equal = try #require(PairedStudentTest([3, 3, 3]))
    #expect(equal.pValue == 0 && equal.interval() == 3...3)
    #expect(equal.smallestEffect(beyond: 2) == 2)
    #expect(try #require(PairedStudentTest([0, 0])).pValue == 1)
    let spread = try #require(PairedStudentTest([1, 2, 3, 4, 5]))
    #expect(abs(spread.smallestEffect(beyond: 50) - (50 + 1.644854 * 0.5.squareRoot())) < 1e-5)
    #expect(PairedStudentTest([1]) == nil && PairedStudentTest([1, .nan]) == nil)
  }
}
