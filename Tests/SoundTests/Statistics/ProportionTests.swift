import Foundation
import Statistics
import Testing

@Suite struct ProportionTests {
  @Test func intervalsAreThoseOfStatsmodels() throws {
    func near(_ range: ClosedRange<Double>, _ expected: [Double]) -> Bool {
      abs(range.lowerBound - expected[0]) < 1e-9 && abs(range.upperBound - expected[1]) < 1e-9
    }
    for vector in try StatisticsVectors.read().proportions {
      let one = Proportion(vector.k, of: vector.n)
      #expect(near(one.wilson(), vector.wilson))
      #expect(near(one.clopperPearson(), vector.clopperPearson))
    }
  }

  /// Summed over all counts: Wilson's interval for 30 trials covers about 95 % on average over the
  /// probabilities, Clopper and Pearson's at least 95 % for each.
  @Test func coverageEqualsTheConfidence() {
    let counts = (0...30).map { Proportion($0, of: 30) }
    let (wilson, exact) = (counts.map { $0.wilson() }, counts.map { $0.clopperPearson() })
    var covered: [Double] = []
    for chance in stride(from: 0.02, through: 0.98, by: 0.04) {
      let weights = (0...30).map { chanceOf($0, by: chance) }
      func coverage(_ intervals: [ClosedRange<Double>]) -> Double {
        zip(intervals, weights).reduce(0.0) { $0 + ($1.0.contains(chance) ? $1.1 : 0) }
      }
      #expect(coverage(exact) >= 0.95)
      covered.append(coverage(wilson))
    }
    #expect(abs(Statistics.mean(covered)! - 0.95) < 0.01)
  }

  /// The binomial probability of `successes` in 30 trials.
  private func chanceOf(_ successes: Int, by chance: Double) -> Double {
    let k = Double(successes)
    let ways = lgamma(31) - lgamma(k + 1) - lgamma(31 - k)
    return exp(ways + k * log(chance) + (30 - k) * log(1 - chance))
  }
}
