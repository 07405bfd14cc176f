import Analyzer
import DSP
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
    #expect(Statistics.mean([1, 2, 6]) == 3)
  }

  /// Of normal values, the interval of the median is about ±1.96 * 1.2533 / √n wide.
  @Test func theIntervalOfAMedianIsAsWideAsTheory() throws {
    var random = SeededGenerator(seed: 11)
    let values = (0..<400).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() } }
    let interval = try #require(Statistics.medianInterval(values))
    let width = (interval.upperBound - interval.lowerBound) / 2
    #expect(abs(width / (1.96 * 1.2533 / 20) - 1) < 0.3)
    #expect(interval.contains(0))
    #expect(Statistics.medianInterval([1, 2]) == nil)
  }
}
