import DSP
import Foundation
import Platform
import Testing

@testable import Metrics

/// A simulated machine with disturbances: slow waves, bursts, places in memory.
private final class NoisyMachine {
  var random: SeededGenerator
  private var readings = 0.0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a factor of at least 1.
  func slowdown() -> Double {
    readings += 1
    let wave = 0.3 * (1 + sin(readings / 40))
    let burst = random.uniform() < 0.2 ? 2 * random.uniform() : 0
    return 1 + wave + burst + 0.01 * random.uniform()
  }
}

/// Simulated work with a known cost.
private final class KnownWork: CostRounds {
  private let machine: NoisyMachine
  private let costs: (Int) -> Double
  private var place = 1.0
  private(set) var renewals = 0
  private(set) var readings: [Int] = []

  /// Creates work on a machine.
  ///
  /// - Parameter costs: the cost in seconds, by the number of renewals.
  init(on machine: NoisyMachine, costs: @escaping (Int) -> Double) {
    (self.machine, self.costs) = (machine, costs)
  }

  func renew() {
    renewals += 1
    place = 1 + 0.02 * (machine.random.uniform() - 0.5)
  }

  func seconds(times: Int) -> Double {
    readings.append(times)
    return costs(renewals) * Double(times) * place * machine.slowdown()
  }
}

@Suite struct CostTrialTests {
  private func compare(
    seed: UInt64, _ settings: CostTrial.Settings = CostTrial.Settings(),
    ratio: @escaping (Int) -> Double
  ) throws -> CostComparison {
    let machine = NoisyMachine(seed: seed)
    return try CostTrial(settings).compare(
      baseline: KnownWork(on: machine) { _ in 0.001 },
      candidate: KnownWork(on: machine) { 0.001 * ratio($0) })
  }

  /// Readings are up to three times the true cost. The ratio is found within 1.5 %: it is the median
  /// of at least 20 rounds, each off by up to 1 % for its place in memory and 1 % of noise that the
  /// minimum does not remove.
  @Test(arguments: [0.9, 1, 1.1, 1.25]) func theRatioIsFound(ratio: Double) throws {
    for seed in 1...20 {
      let found = try compare(seed: UInt64(seed)) { _ in ratio }
      #expect(abs(found.ratio / ratio - 1) < 0.015, "\(found)")
      switch ratio {
      case 0.9: #expect(found.verdict == .improvement && found.confirmed)
      case 1: #expect(found.verdict == .withinNoise && !found.confirmed)
      default: #expect(found.verdict == .regression && found.confirmed)
      }
    }
  }

  /// The first trial renews the work 20 times; afterwards it costs as much as the other.
  @Test func whatDoesNotRepeatIsNoRegression() throws {
    let found = try compare(seed: 1) { $0 <= 20 ? 1.3 : 1 }
    #expect(found.verdict == .inconclusive && !found.confirmed && found.rounds == 40)
  }

  @Test func roundsAreAddedUntilTheIntervalIsNarrow() throws {
    var settings = CostTrial.Settings()
    (settings.minRounds, settings.maxRounds) = (8, 48)
    settings.minimumEffect = 0.001  // the interval never gets so narrow
    #expect(try compare(seed: 3, settings) { _ in 1 }.rounds == 48)
    settings.minimumEffect = 1  // narrow enough at once
    #expect(try compare(seed: 3, settings) { _ in 1 }.rounds == 8)
  }

  /// A reading should take 10 ms. One repetition of the work takes 1 ms, or up to 4 ms when slowed.
  @Test func readingsAreAsLongAsTheyShouldBe() throws {
    let machine = NoisyMachine(seed: 1)
    let work = KnownWork(on: machine) { _ in 0.001 }
    let other = KnownWork(on: machine) { _ in 0.020 }
    let trial = try CostTrial()
    _ = try trial.rounds(work, other, seed: 1)
    #expect((3...10).contains(work.readings.max()!))
    #expect(other.readings.max() == 1)
    // Three readings to find the repetitions; in each round one to warm up, then two of each ABBA,
    // twice.
    #expect(work.readings.count == 3 + 5 * work.renewals && work.renewals >= 20)
  }

  @Test func workThatTakesNoTimeIsRefused() throws {
    #expect(throws: Refusal.noTime) {
      try CostTrial().compare(
        baseline: KnownWork(on: NoisyMachine(seed: 1)) { _ in 0 },
        candidate: KnownWork(on: NoisyMachine(seed: 1)) { _ in 1 })
    }
    var settings = CostTrial.Settings()
    settings.minRounds = 3
    #expect(throws: SettingsError.self) { try CostTrial(settings) }
  }
}

@Suite struct CostComparisonTests {
  @Test(arguments: [
    (1.10, 1.02...1.18, ComparisonVerdict.regression), (1.10, 0.99...1.22, .inconclusive),
    (1.04, 1.02...1.049, .withinNoise), (1.04, 1.02...1.06, .inconclusive),
    (1.00, 0.97...1.03, .withinNoise), (1.00, 0.90...1.10, .inconclusive),
    (0.90, 0.85...0.98, .improvement), (0.90, 0.80...1.01, .inconclusive),
  ]) func theVerdictFollowsTheInterval(
    ratio: Double, interval: ClosedRange<Double>, verdict: ComparisonVerdict
  ) {
    #expect(CostComparison.verdict(ratio, interval, minimumEffect: 0.05) == verdict)
  }

  /// The normal quantiles are 2.5758 for 99 % and 1.9545 for a probability of √0.95; ln 1.05 is
  /// 0.048790.
  @Test(arguments: [(0.01, exp(0.048790 + 1.9545 * 0.01 / 2.5758)), (0.1, exp(0.1 + 0.075879))])
  func whatCanBeFoundFollowsTheWidth(half: Double, ratio: Double) {
    let found = CostComparison(
      ratio: 1, interval: exp(-half)...exp(half), confidence: 0.99, rounds: 20,
      minimumEffect: 0.05)
    #expect(abs(found.minimumDetectableRatio - ratio) < 1e-5)
  }

  @Test func comparisonsSurviveJSON() throws {
    let found = CostComparison(
      ratio: 2, interval: 1.9...2.1, confidence: 0.99, rounds: 20, minimumEffect: 0.05)
    let text = try JSONEncoder().encode(found)
    #expect(try JSONDecoder().decode(CostComparison.self, from: text) == found)
  }
}
