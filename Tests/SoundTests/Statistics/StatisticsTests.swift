import DSP
import Foundation
import Statistics
import Testing

@Suite struct StatisticsTests {
  @Test func quantilesAreThoseOfHyndmanAndFan() {
    // R: quantile(c(1, 2, 3, 4, 10), c(0, 0.25, 0.5, 0.9, 1)) is 1 2 3 7.6 10.
    let values = [10.0, 1, 3, 2, 4]
    let shares = [0, 0.25, 0.5, 0.9, 1]
    for (share, expected) in zip(shares, [1, 2, 3, 7.6, 10]) {
      #expect(abs(Statistics.quantile(values, share)! - expected) < 1e-12)
    }
    #expect(Statistics.quantile([], 0.5) == nil)
    #expect(Statistics.quantile([1, .infinity], 0) == 1)
    #expect(Statistics.quantile([-.infinity, 5, .infinity], 0.5) == 5)
    #expect(Statistics.quantile([-.infinity, .infinity], 0.5)?.isNaN == false)
    #expect(Statistics.mean([1, 2, 6]) == 3)
  }

  /// Half of the numbers occur several times.
  @Test(arguments: [1, 2, 3, 4, 9, 32, 47, 100]) func theMedianOfSamplesIsThatOfNumbers(count: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<20 {
      let values = (0..<count).map { _ in Float((random.uniform() * 30).rounded(.down)) / 7 }
      var reordered = values
      let median = Statistics.median(sorting: &reordered)
      #expect(try #require(Statistics.median(values.map { Double($0) })) == median)
      #expect(reordered == values.sorted())
    }
  }

  /// The interval of the median of normal values is about ±1.96 * 1.2533 / √n.
  @Test func theIntervalOfAMedianIsAsWideAsTheory() throws {
    var random = SeededGenerator(seed: 11)
    let values = (0..<400).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() } }
    let interval = try #require(Statistics.medianInterval(values))
    let width = (interval.upperBound - interval.lowerBound) / 2
    #expect(abs(width / (1.96 * 1.2533 / 20) - 1) < 0.3)
    #expect(interval.contains(0))
    #expect(Statistics.medianInterval([1, 2, 3, 4, 5]) == nil)
  }

  /// Computed by hand after Hettmansperger and Sheather: of ten values the second lowest to second
  /// highest contain the median in 1 - 2 (1 + 10) / 1024 = 97.85 % of cases, the third in 89.06 %.
  /// A coverage of 95 % is 0.3244 in between, which is 8 * 0.3244 / (2 + 6 * 0.3244) = 0.6576 of
  /// the distance inward.
  @Test func theIntervalOfAMedianLiesBetweenOrderStatistics() throws {
    let interval = try #require(Statistics.medianInterval([3, 1, 2, 10, 9, 4, 5, 6, 7, 8]))
    #expect(abs(interval.lowerBound - 2.6576) < 1e-3)
    #expect(abs(interval.upperBound - (9 - 0.6576)) < 1e-3)
  }

  /// The coverage also holds for few skewed values: 4000 trials count a share of 95 % within 0.7
  /// points (two deviations), and the interpolation is right within one point.
  @Test(arguments: [6, 9, 14, 31]) func theIntervalOfAMedianCoversAsStated(count: Int) {
    var random = SeededGenerator(seed: 5)
    let held = (0..<4000).count { _ in
      let values = (0..<count).map { _ in -log(1 - random.uniform()) }
      return Statistics.medianInterval(values)!.contains(log(2))
    }
    #expect(abs(Double(held) / 4000 - 0.95) < 0.017)
  }
}
