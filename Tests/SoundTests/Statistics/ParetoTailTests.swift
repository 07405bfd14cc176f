import DSP
import Foundation
import Statistics
import Testing

@Suite struct ParetoTailTests {
  /// The likelihood is at least that of scipy's fit, at the same parameters.
  @Test func fitsAreThoseOfScipy() throws {
    for vector in try StatisticsVectors.read().pareto {
      let law = try #require(ParetoLaw(fitting: vector.values))
      let cost = vector.values.reduce(0) { sum, x in
        sum + log(law.scale) + (1 + 1 / law.shape) * log1p(law.shape * x / law.scale)
      }
      #expect(cost < vector.cost + 1e-4)
      // scipy's simplex stops within 1e-4 of each unknown.
      #expect(abs(law.shape - vector.shape) < 1e-3)
      #expect(abs(law.scale / vector.scale - 1) < 1e-3)
      #expect(abs(law.quantile(0.999) / vector.q999 - 1) < 3e-3)
      #expect(abs(law.share(below: law.quantile(0.37)) - 0.37) < 1e-12)
    }
  }

  /// 5000 values of a known law: the tail beyond any threshold has the same shape. The error of the
  /// shape is (1 + shape) / √250 = 0.08.
  @Test(arguments: [-0.2, 0, 0.3]) func aKnownTailIsExtrapolated(shape: Double) throws {
    let law = ParetoLaw(shape: shape, scale: 2)
    var random = SeededGenerator(seed: 51)
    let values = (0..<5000).map { _ in 10 + law.quantile(random.uniform()) }
    let tail = try ParetoTail(of: values, draws: 100)
    #expect(tail.exceedances == 250 && tail.count == 5000)
    #expect(abs(tail.law.shape - shape) < 2.5 * (1 + shape) / 250.0.squareRoot())
    #expect(tail.fitPValue > 0.05)
    let level = try #require(tail.quantile(0.9999))
    let truth = 10 + law.quantile(0.9999)
    #expect(level.lower < truth && truth < level.upper)
    #expect(tail.quantile(0.5) == nil && tail.quantile(1) == nil)
  }

  /// 90 % intervals of the 99.9 % quantile contain the truth in 90 % of sets, less the cost of only
  /// 60 exceedances (83 to 89 % in a numpy prototype of profile likelihood). 60 sets count that
  /// within ±4 %.
  @Test func coverageIsCloseToTheConfidence() throws {
    let law = ParetoLaw(shape: 0.1, scale: 1)
    var random = SeededGenerator(seed: 52)
    let held = try (0..<60).count { _ in
      let values = (0..<600).map { _ in law.quantile(random.uniform()) }
      let tail = try ParetoTail(of: values, thresholdShare: 0.9, draws: 100)
      let level = try #require(tail.quantile(0.999, confidence: 0.9))
      return (level.lower...level.upper).contains(law.quantile(0.999))
    }
    #expect(46...58 ~= held, "\(held) of 60")
  }

  /// A clock of three steps has no such tail, and the fit test shows it.
  @Test func aTailOfAnotherKindFailsTheFitTest() throws {
    var random = SeededGenerator(seed: 53)
    let values = (0..<4000).map { index in
      index % 20 == 0 ? 5 + (random.uniform() * 3).rounded(.down) : random.uniform()
    }
    #expect(try ParetoTail(of: values).fitPValue < 0.05)
  }

  @Test func unsuitableValuesThrow() {
    #expect(throws: ParetoTail.Failure.tooFew(exceedances: 0)) { _ = try ParetoTail(of: []) }
    #expect(throws: ParetoTail.Failure.tooFew(exceedances: 45)) {
      _ = try ParetoTail(of: (0..<900).map { Double($0) })
    }
    #expect(throws: ParetoTail.Failure.tooFew(exceedances: 0)) {
      _ = try ParetoTail(of: [Double](repeating: 1, count: 5000))
    }
    #expect(throws: ParetoTail.Failure.notFinite) { _ = try ParetoTail(of: [1, .nan]) }
  }
}
