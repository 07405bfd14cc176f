import DSP
import Foundation
import Statistics

/// Says whether one piece of work costs more than another, on a machine where everything else goes on
/// meanwhile.
///
/// **Schedule.** A round begins both anew in memory, warms them up, and reads their time on a core by
/// turns, `ABBA` or `BAAB` as drawn, so that whatever drifts over a round takes from both alike. A
/// reading is long enough for the clock and short beside what else the machine does.
///
/// **Estimate.** Others only ever add to a reading, so of each round the least reading of either
/// counts; the ratio is the median over rounds, its interval drawn over rounds. A round that was
/// spoilt is one of many.
///
/// **Verdict.** A change that matters is tried a second time, with rounds of its own, and only where
/// both trials say so it is said; otherwise it is inconclusive.
///
/// - Cost: rounds × (both beginnings + 4 × `quads` × `readingMs`): about 3 s, twice where something
///   is found.
public struct CostTrial {
  public struct Settings: Codable, Equatable, Sendable {
    /// The smallest change that matters, as a share of the baseline.
    public var minimumEffect = 0.05
    public var confidence = 0.99
    public var fewestRounds = 20
    /// Rounds are added by tens until the interval is as narrow as half of the minimum effect either
    /// way, or there are so many.
    public var mostRounds = 80
    /// Of ABBA or BAAB, in a round.
    public var quads = 2
    public var readingMs = 10.0
    /// By how much two ratios to the calibration workload may differ though nothing has changed, as a
    /// share: between states of one machine, quiet and crowded, up to 8 % was seen (docs/reference/cost.md).
    public var calibrationError = 0.12
    /// The same between kinds of machines, or builds. How far apart those are nobody has measured: a
    /// factor of 2 leaves room for whatever caches and vector units do, and still finds work that is
    /// done twice too often.
    public var foreignError = 1.0
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("minimumEffect", minimumEffect, in: 0.001...1)
      try require("confidence", confidence, in: 0.5...0.999)
      // With fewer the median has no interval of 99 %.
      try require("fewestRounds", Double(fewestRounds), in: 8...10_000)
      try require("mostRounds", Double(mostRounds), in: Double(fewestRounds)...10_000)
      try require("quads", Double(quads), in: 1...100)
      try require("readingMs", readingMs, in: 0.1...10_000)
      try require("calibrationError", calibrationError, in: 0...1)
      try require("foreignError", foreignError, in: 0...10)
    }
  }

  /// The least readings of a round, in seconds for each time that the work was done.
  public struct Round: Codable, Equatable, Sendable {
    public var baseline: Double
    public var candidate: Double

    var logRatio: Double { log(candidate / baseline) }
  }

  public let settings: Settings
  /// Stands for the machine where the baseline is not at hand; `nil` for the one of this package.
  let workload: (any CostRounds)?

  /// - Parameter workload: in place of `CalibrationWorkload`, for tests.
  public init(
    _ settings: Settings = Settings(), workload: (any CostRounds)? = nil
  ) throws(SettingsError) {
    try settings.validate()
    (self.settings, self.workload) = (settings, workload)
  }

  /// Both must do the same work: what counts is the time for each repetition.
  public func compare(
    baseline: any CostRounds, candidate: any CostRounds
  ) throws -> CostComparison {
    let first = try rounds(baseline, candidate, seed: settings.seed)
    var comparison = try comparison(first)
    guard [.regression, .improvement].contains(comparison.verdict) else { return comparison }
    let second = try rounds(baseline, candidate, seed: settings.seed &+ 0x5eed)
    let isConfirmed = try self.comparison(second).verdict == comparison.verdict
    let found = comparison.verdict
    comparison = try self.comparison(first + second)
    comparison.verdict = isConfirmed ? found : .inconclusive
    comparison.confirmed = isConfirmed
    return comparison
  }

  // MARK: Rounds

  private func comparison(_ rounds: [Round]) throws -> CostComparison {
    let (ratio, interval) = try ratio(of: rounds)
    return CostComparison(
      ratio: ratio, interval: interval, confidence: settings.confidence, rounds: rounds.count,
      minimumEffect: settings.minimumEffect, method: .interleaved)
  }

  /// The median of the rounds, and where it may lie.
  func ratio(of rounds: [Round]) throws -> (Double, ClosedRange<Double>) {
    let logs = rounds.map(\.logRatio)
    guard let median = Statistics.median(logs), median.isFinite,
      let interval = Statistics.medianInterval(logs, confidence: settings.confidence)
    else { throw CostTrialError.noTime }
    return (exp(median), exp(interval.lowerBound)...exp(interval.upperBound))
  }

  /// As many rounds as it takes.
  func rounds(
    _ baseline: any CostRounds, _ candidate: any CostRounds, seed: UInt64
  ) throws -> [Round] {
    var random = SeededGenerator(seed: seed)
    let times = (try repetitions(of: baseline), try repetitions(of: candidate))
    var rounds: [Round] = []
    while rounds.count < settings.mostRounds {
      let wanted = rounds.isEmpty ? settings.fewestRounds : 10
      for _ in 0..<min(wanted, settings.mostRounds - rounds.count) {
        rounds.append(try round(baseline, candidate, times: times, &random))
      }
      let interval = try ratio(of: rounds).1
      let width = log(interval.upperBound / interval.lowerBound) / 2
      if width <= log(1 + settings.minimumEffect) / 2 { break }
    }
    return rounds
  }

  private func round(
    _ baseline: any CostRounds, _ candidate: any CostRounds, times: (Int, Int),
    _ random: inout SeededGenerator
  ) throws -> Round {
    let isBaselineFirst = random.next() & 1 == 0
    for work in isBaselineFirst ? [baseline, candidate] : [candidate, baseline] {
      try work.renew()
      _ = try work.seconds(times: 1)
    }
    var least = Round(baseline: .infinity, candidate: .infinity)
    for _ in 0..<settings.quads {
      let isABBA = random.next() & 1 == 0
      for isBaseline in [isABBA, !isABBA, !isABBA, isABBA] {
        if isBaseline {
          let seconds = try baseline.seconds(times: times.0) / Double(times.0)
          least.baseline = min(least.baseline, seconds)
        } else {
          let seconds = try candidate.seconds(times: times.1) / Double(times.1)
          least.candidate = min(least.candidate, seconds)
        }
      }
    }
    guard least.baseline > 0, least.candidate > 0 else { throw CostTrialError.noTime }
    return least
  }

  /// So many that a reading takes as long as it should.
  private func repetitions(of work: any CostRounds) throws -> Int {
    let once = try (0..<3).map { _ in try work.seconds(times: 1) }.min()!
    guard once > 0 else { throw CostTrialError.noTime }
    return max(1, Int((settings.readingMs / 1000 / once).rounded()))
  }
}

extension CostTrial.Settings {
  func with(seed: UInt64) -> Self {
    var other = self
    other.seed = seed
    return other
  }
}
