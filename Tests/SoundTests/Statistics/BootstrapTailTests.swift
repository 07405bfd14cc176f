import DSP
import Testing

@testable import Statistics

/// Shares of all possible draws, counted exactly in Python with fractions: the distribution of the
/// sum of n draws of n values, convolved n times.
@Suite struct BootstrapTailTests {
  private static let counted: [([Double], share: Double)] = [
    // A long tail on the opposite side, and none.
    (
      [
        3.9, -12.5, 4.2, 3.8, 3.6, 4.8, 3.4, 5.0, 4.1, 0.9, 3.2, 4.4, 3.0, 4.5, 4.6, 4.5, 2.9, -0.2,
        5.0, 4.8,
      ], 0.00309591685757545
    ),
    ([3.1, 2.2, 4.6, -2.4, 5.2, 2.9, -4.8, 3.7, 1.1, 6.3, 5.9, 2.6], 0.005500471033117715),
    // Plain draws would need a billion of them.
    ([3.1, 2.2, 4.6, 2.4, 5.2, 2.9, -0.8, 3.7, 1.1, 6.3, 5.9, 2.6], 4.844943173385803e-9),
    // Sums that are zero count.
    ([1, 1, 1, 1, 0, 0, -1, 1, 1, 1, 1, 1], 0.0014468965046847792),
    // Almost no difference.
    ([1, -0.8, 0.3, -0.5, 0.9, -0.2, 0.4], 0.2699506886707798),
  ]

  /// One series has a standard error of at most a tenth, the mean of forty a sixtieth. Three of
  /// those are allowed, and a hundredth for the additional hit.
  @Test(arguments: counted) func sharesAreThoseOfAllDraws(values: [Double], share: Double) throws {
    let tail = try #require(BootstrapTail(values))
    #expect(tail.bound >= share && !tail.isExact)
    let found = (1...40).map { tail.share(seed: UInt64($0)) / share }
    #expect(abs(try #require(Statistics.mean(found)) - 1) < 0.06)
    #expect(try #require(Statistics.deviation(found)) < 0.12)
    // The probability of less than half is 1e-11.
    #expect(found.allSatisfy { $0 > 0.5 })
    let turned = try #require(BootstrapTail(values.map { -$0 }))
    #expect(turned.share(seed: 7) == tail.share(seed: 7))
    #expect(tail.share() == tail.share())
  }

  /// Computed by hand: (2 / 5)⁵ if two of five are zero and none is negative; 0 if all are
  /// positive.
  @Test func sharesOfOneSideAreExact() throws {
    let zeros = try #require(BootstrapTail([2, 0, 3, 0, 1.5]))
    #expect(zeros.isExact && abs(zeros.share() - 0.01024) < 1e-15)
    let above = try #require(BootstrapTail([-2, -1, -3, -7e-9, -1.5]))
    #expect(above.isExact && above.share() == 0 && above.bound == 0)
    #expect(try #require(BootstrapTail([0, 0, 0])).share() == 1)
    #expect(BootstrapTail([]) == nil && BootstrapTail([1, .nan]) == nil)
  }

  /// Computed by hand: of two draws of ±1, three of four cases have a sum of at most 0.
  @Test func aMeanOfZeroIsNoDifference() throws {
    let even = try #require(BootstrapTail([1, -1]))
    #expect(even.bound == 1 && abs(even.share() - 0.75) < 0.15)
  }

  /// A single tiny difference on the other side, and one that outweighs all others.
  @Test func extremeDifferencesHaveAShare() throws {
    // Only draws of the tiny one alone, 1 in 5⁵, count; no other sum is at most 0.
    let tiny = try #require(BootstrapTail([5, 5, 5, 5, -1e-9]))
    #expect(abs(tiny.share() / 0.00032 - 1) < 0.3)
    // All draws without the large one, (4 / 5)⁵, count.
    let outweighed = try #require(BootstrapTail([-1, -1, -1, -1, 1000]))
    #expect(abs(outweighed.share() / 0.32768 - 1) < 0.3)
  }
}

@Suite struct AliasTableTests {
  /// Each count of 100,000 draws is within four standard errors of its share.
  @Test(arguments: [[1.0], [1, 0, 3, 6], [0.25, 0.25, 0.25, 0.25], [1e-300, 2e-300], [0, 0, 5]])
  func drawsFollowTheWeights(weights: [Double]) {
    let table = AliasTable(weights: weights)
    var random = SeededGenerator(seed: 5)
    var counts = weights.map { _ in 0.0 }
    for _ in 0..<100_000 { counts[table.draw(&random)] += 1 }
    let sum = weights.reduce(0, +)
    for (weight, count) in zip(weights, counts) {
      let share = weight / sum
      #expect(abs(count / 100_000 - share) <= 4 * (share * (1 - share) / 100_000).squareRoot())
    }
  }
}
