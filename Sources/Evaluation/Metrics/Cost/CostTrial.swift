import DSP
import Foundation
import Platform
import Statistics

/// Compares the cost of two pieces of work on a machine that is also busy with other work.
///
/// **Schedule.** A round recreates both in memory, warms them up and reads their processor time in
/// turns, in random order `ABBA` or `BAAB`, so that drift within a round affects both alike. A reading
/// is long enough for the clock's resolution and short against the machine's other activity.
///
/// **Estimate.** Other work only ever adds to a reading, so the smallest reading of each in a round
/// counts. The ratio is the median over rounds, with an interval from the rounds' order statistics. A
/// disturbed round is one of many.
///
/// **Verdict.** A regression or an improvement is repeated in a second trial with rounds of its own.
/// It counts only if both trials agree; otherwise the verdict is inconclusive.
///
/// - Cost: rounds × (both renewals + 4 × `quads` × `readingMs`): about 3 s, twice that for a regression
///   or an improvement.
public struct CostTrial {
  public struct Settings: Codable, Equatable, Sendable {
    /// Minimum effect, as a share of the baseline.
    public var minimumEffect = 0.05
    public var confidence = 0.99
    public var minRounds = 20
    /// Largest number of rounds. Rounds are added by tens until half the interval's width is at most
    /// half the minimum effect.
    public var maxRounds = 80
    /// Number of ABBA or BAAB sequences in a round.
    public var quads = 2
    public var readingMs = 10.0
    public var seed: UInt64 = 1

    public init() {}

    public func validate() throws(SettingsError) {
      try require("minimumEffect", minimumEffect, in: 0.001...1)
      try require("confidence", confidence, in: 0.5...0.999)
      // With fewer rounds, the median has no interval of 99 %.
      try require("minRounds", Double(minRounds), in: 8...10_000)
      try require("maxRounds", Double(maxRounds), in: Double(minRounds)...10_000)
      try require("quads", Double(quads), in: 1...100)
      try require("readingMs", readingMs, in: 0.1...10_000)
    }
  }

  /// The smallest readings of a round, in seconds for each repetition.
  public struct Round: Codable, Equatable, Sendable {
    public var baseline: Double
    public var candidate: Double

    var logRatio: Double { log(candidate / baseline) }
  }

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Compares the processor time of a repetition of each; both must do the same work.
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
      minimumEffect: settings.minimumEffect)
  }

  /// Returns the median ratio of the rounds and its confidence interval.
  func ratio(of rounds: [Round]) throws -> (Double, ClosedRange<Double>) {
    let logs = rounds.map(\.logRatio)
    guard let median = Statistics.median(logs), median.isFinite,
      let interval = Statistics.medianInterval(logs, confidence: settings.confidence)
    else { throw Refusal.noTime }
    return (exp(median), exp(interval.lowerBound)...exp(interval.upperBound))
  }

  /// Runs rounds until the interval is narrow enough.
  func rounds(
    _ baseline: any CostRounds, _ candidate: any CostRounds, seed: UInt64
  ) throws -> [Round] {
    var random = SeededGenerator(seed: seed)
    let times = (try repetitions(of: baseline), try repetitions(of: candidate))
    var rounds: [Round] = []
    while rounds.count < settings.maxRounds {
      let wanted = rounds.isEmpty ? settings.minRounds : 10
      for _ in 0..<min(wanted, settings.maxRounds - rounds.count) {
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
    guard least.baseline > 0, least.candidate > 0 else { throw Refusal.noTime }
    return least
  }

  /// Returns the number of repetitions whose reading takes about `readingMs`.
  private func repetitions(of work: any CostRounds) throws -> Int {
    let once = try (0..<3).map { _ in try work.seconds(times: 1) }.min()!
    guard once > 0 else { throw Refusal.noTime }
    return max(1, Int((settings.readingMs / 1000 / once).rounded()))
  }
}

extension CostTrial.Settings {
  package func with(seed: UInt64) -> Self {
    var other = self
    other.seed = seed
    return other
  }
}

/// A repeatable piece of work whose cost is measured.
public protocol CostRounds: AnyObject {
  /// Recreates the work's objects at other addresses: their layout in memory changes the time by some
  /// percent.
  func renew() throws
  /// Repeats the work.
  ///
  /// - Returns: its processor time in seconds.
  func seconds(times: Int) throws -> Double
}

extension Refusal {
  static let noTime = Refusal(
    "the work took no time that the clock can measure; give it a longer sound or more work")
}
