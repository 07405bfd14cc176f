import DSP
import Testing

@testable import Gate
@testable import Metrics

/// Verdicts on fixed differences. P-values and intervals of t come from scipy (`ttest_1samp`),
/// minimum detectable effects from statsmodels (`TTestPower`); both to the digits shown.
@Suite struct DifferenceTestTests {
  /// Changes of twelve recordings with a mean of 2.5333. The p-value is 0.021870 by t, 0.013672 by
  /// sign flips and 0.011 by a bootstrap.
  private static let twelve = [3.1, 2.2, 4.6, -2.4, 5.2, 2.9, -4.8, 3.7, 1.1, 6.3, 5.9, 2.6]
  /// Five changes for the worse with a mean of 3.8. The p-value is 0.054331 by t and 1/32 by sign
  /// flips, and no bootstrap can draw a mean below 0.
  private static let five = [2.2, 2.9, 1.4, 9.3, 3.2]

  /// Compares cells whose first voice changed by `changes` and whose other voices did not.
  private func compare(
    _ changes: [Double], voices: Int = 1, noise: Double = 0,
    _ change: (inout RunComparison.Settings) -> Void = { _ in }
  ) throws -> RunComparison {
    func cells(_ changes: [Double]) -> [ComparedCell] {
      changes.enumerated().map { recording, change in
        var figures: [FigureID: MetricResult.Outcome] = [:]
        for voice in 0..<voices {
          figures[.init("pitch.abs_error", voice: "v\(voice)")] = .value(
            7 + (voice == 0 ? change : 0))
        }
        return cell("r\(recording)", figures)
      }
    }
    var settings = RunComparison.Settings()
    if noise > 0 { settings.noise = ["pitch.abs_error": noise] }
    change(&settings)
    return try RunComparison(
      baseline: cells(changes.map { _ in 0 }), candidate: cells(changes), settings)
  }

  private func cell(
    _ recording: String, condition: String = "clean",
    _ figures: [FigureID: MetricResult.Outcome]
  ) -> ComparedCell {
    ComparedCell(
      .init(recording: recording, condition: condition, score: "chord", configuration: "toy"),
      figures: figures)
  }

  private func first(_ comparison: RunComparison) throws -> MetricDifference {
    try #require(comparison.differences.first { $0.voice == "v0" })
  }

  /// The p-value is two-sided and that of t, the larger of the two. Among three figures, Holm's
  /// correction triples the smallest to 0.0656, which is above 0.05.
  @Test func manyFiguresNeedStrongerEvidence() throws {
    let alone = try first(compare(Self.twelve))
    #expect(abs(alone.pValue - 0.021870) < 1e-6)
    #expect(abs(try #require(alone.worsening) - 2.533333) < 1e-6)
    #expect(alone.verdict == .regression)
    let amongThree = try first(compare(Self.twelve, voices: 3))
    #expect(abs(amongThree.pValue - 3 * 0.021870) < 3e-6)
    #expect(amongThree.verdict == .inconclusive)
  }

  /// A long tail on the other side makes the bootstrap's p-value larger than that of t, which is
  /// 0.003322. Two million draws of numpy give 0.0061; the test's own draws have a standard error
  /// of a tenth of it. The number of draws of an interval has no influence.
  @Test func longTailsNeedStrongerEvidence() throws {
    let tailed = [
      3.9, -12.5, 4.2, 3.8, 3.6, 4.8, 3.4, 5.0, 4.1, 0.9, 3.2, 4.4, 3.0, 4.5, 4.6, 4.5, 2.9, -0.2,
      5.0, 4.8,
    ]
    let found = try first(compare(tailed) { $0.test.draws = 100_000 })
    #expect(abs(found.pValue - 0.0061) < 0.0015)
    #expect(try first(compare(tailed) { $0.test.draws = 500 }).pValue == found.pValue)
    // Among sixty figures it is sixty times as large.
    let amongSixty = try first(compare(tailed, voices: 60))
    #expect(abs(amongSixty.pValue - 60 * found.pValue) < 1e-12)
  }

  /// Each of 3000 settings has one random figure. Each result is independent of the order of the
  /// cells, and the one true regression is found.
  @Test func thousandsOfFiguresAreDrawnOneByOne() throws {
    var random = SeededGenerator(seed: 3)
    func cells(_ change: (Int) -> Double) -> [ComparedCell] {
      (0..<3000).flatMap { setting in
        (0..<6).map { recording in
          ComparedCell(
            .init(
              recording: "r\(recording)", condition: "clean", score: "chord",
              configuration: "toy \(setting)"),
            figures: [
              .init("pitch.abs_error"): .value(
                20 + change(setting) + 3 * (random.uniform() - 0.5))
            ])
        }
      }
    }
    var settings = RunComparison.Settings()
    settings.noise = ["pitch.abs_error": 0.5]
    let (before, after) = (cells { _ in 0 }, cells { $0 == 1234 ? 60 : 0 })
    let found = try RunComparison(baseline: before, candidate: after, settings)
    #expect(found.differences.count == 3000 && found.count(.regression) == 1)
    #expect(found.differences[0].configuration == "toy 1234")
    let turned = try RunComparison(baseline: before, candidate: after.reversed(), settings)
    let key = { (one: MetricDifference) in one.configuration }
    let pairs = zip(
      found.differences.sorted { key($0) < key($1) },
      turned.differences.sorted { key($0) < key($1) })
    #expect(pairs.allSatisfy { $0.pValue == $1.pValue && $0.verdict == $1.verdict })
  }

  /// The p-value of these recordings lies between levels of 2 % and 3 %.
  @Test func theLevelDecides() throws {
    #expect(try compare(Self.twelve) { $0.test.level = 0.02 }.verdict == .inconclusive)
    #expect(try compare(Self.twelve) { $0.test.level = 0.03 }.verdict == .regression)
  }

  /// Each end is the outer one of t and the bootstrap. The BCa intervals of scipy are 2.16 to 7.88
  /// and 0.23 to 3.95, with about 0.2 of sampling error.
  @Test func intervalsAreAtLeastStudents() throws {
    let found = try #require(try first(compare(Self.five)).interval)
    #expect(abs(found.lowerBound + 0.113704) < 1e-6)
    #expect(abs(found.upperBound - 7.88) < 0.2)
    let more = try #require(try first(compare(Self.twelve)).interval)
    #expect(abs(more.lowerBound - 0.23) < 0.2)
    #expect(abs(more.upperBound - 4.623186) < 1e-6)
  }

  /// Only two of 32 sign patterns reach the sum: the given one and the one with the last sign
  /// flipped. 2/32 is above 0.05, although the p-value of t is 0.0173.
  @Test func signFlipsMayContradict() throws {
    let found = try first(compare([3, 3, 3, 3, -0.05]))
    #expect(abs(found.pValue - 0.017276) < 1e-6)
    #expect(found.verdict == .inconclusive)
  }

  /// The one-sided sign-flip test gives 1/32; a two-sided one would give 2/32. Improvements are
  /// judged alike.
  @Test func fiveThatAgreeAreEnoughForADeterministicSubject() throws {
    #expect(try first(compare(Self.five, voices: 9)).verdict == .regression)
    #expect(try first(compare(Self.five.map { -$0 }, voices: 9)).verdict == .improvement)
    // If runs differ by chance, t decides.
    #expect(try first(compare(Self.five, noise: 0.5)).verdict == .inconclusive)
    #expect(try first(compare(Self.five.map { -$0 }, noise: 0.5)).verdict == .inconclusive)
    // All are worse, but by less than the minimum effect.
    #expect(try first(compare(Self.five.map { $0 / 2 })).verdict == .inconclusive)
  }

  /// Every recording changed by exactly 3 cents.
  @Test(arguments: [5, 6, 26]) func equalChangesAreFound(recordings: Int) throws {
    let changes = [Double](repeating: 3, count: recordings)
    #expect(try compare(changes, voices: 60).verdict == .regression)
    #expect(try compare(changes, voices: 60, noise: 1).verdict == .regression)
    #expect(try compare(changes, voices: 60, noise: 4).verdict == .withinNoise)
  }

  /// A given minimum effect replaces the metric's 2 cents.
  @Test func theMinimumEffectMayBeGiven() throws {
    let three = [Double](repeating: 3, count: 12)
    #expect(
      try compare(three) { $0.minimumEffects = ["pitch.abs_error": 4] }.verdict == .withinNoise)
    #expect(
      try compare(three.map { $0 / 2 }) { $0.minimumEffects = ["pitch.abs_error": 1] }.verdict
        == .regression)
  }

  /// Fewer than five recordings must each reach the minimum effect. They are never enough for a
  /// nondeterministic subject.
  @Test func fourMustEachReachTheMinimumEffect() throws {
    #expect(try compare([3, 3, 3, 2.1]).verdict == .regression)
    #expect(try compare([3, 3, 3, 1.5]).verdict == .inconclusive)
    #expect(try compare([-3, -3, -3, -2.1]).verdict == .improvement)
    let nondeterministic = try compare([3, 3, 3, 3.1], noise: 0.5)
    #expect(nondeterministic.verdict == .inconclusive)
    #expect(
      try first(nondeterministic).minimumDetectableEffect == nil
        && first(nondeterministic).interval == nil)
  }

  /// A recording with many conditions counts once. The p-value of t for 9, -4, 8, -3 and 2.6 is
  /// 0.402320; forty independent cells would give nearly 0.
  @Test func recordingsAreCountedNotCells() throws {
    let changes = [9, -4, 8, -3, 2.6]
    func cells(_ scale: Double, conditions: (Int) -> Int) -> [ComparedCell] {
      changes.enumerated().flatMap { recording, change in
        (0..<conditions(recording)).map { condition in
          cell(
            "r\(recording)", condition: "c\(condition)",
            [.init("pitch.abs_error", voice: "v0"): .value(7 + scale * change)])
        }
      }
    }
    // In the second case one recording has as many cells as all others together.
    for conditions in [{ _ in 8 }, { $0 == 0 ? 32 : 8 }] as [(Int) -> Int] {
      let found = try first(
        RunComparison(
          baseline: cells(0, conditions: conditions), candidate: cells(1, conditions: conditions)))
      #expect(found.recordings == 5 && found.cells == (0..<5).reduce(0) { $0 + conditions($1) })
      #expect(abs(try #require(found.worsening) - 2.52) < 1e-9)
      #expect(abs(found.pValue - 0.402320) < 1e-6 && found.verdict == .inconclusive)
    }
  }

  /// Minimum detectable effects of statsmodels for normal differences with the spread of the
  /// twelve: 3.76947 for one test and 4.44362 among three. Reaching the minimum effect needs only
  /// 3.56180, which is 2 plus 1.644854 standard errors.
  @Test func minimumDetectableEffectsAreThoseOfStatsmodels() throws {
    let alone = try first(compare(Self.twelve, noise: 0.5))
    #expect(abs(try #require(alone.minimumDetectableEffect) - 3.769474) < 1e-5)
    let amongThree = try first(compare(Self.twelve, voices: 3, noise: 0.5))
    #expect(abs(try #require(amongThree.minimumDetectableEffect) - 4.443617) < 1e-5)
    // A threshold of 3 needs 3 plus 1.644854 standard errors of 0.949525.
    let higher = try first(compare(Self.twelve, noise: 3))
    #expect(abs(try #require(higher.minimumDetectableEffect) - 4.561802) < 1e-5)
    // For a deterministic subject it is enough that all changes have one sign. Each of five has it
    // with the fifth root of 0.95, at 2.3187 deviations of 3.1520. By t a single figure would need
    // 6.9465, and nine would need more.
    let unanimous = try first(compare(Self.five, voices: 9))
    #expect(abs(try #require(unanimous.minimumDetectableEffect) - 2.318679 * 3.151984) < 1e-4)
  }

  /// One recording of a deterministic subject changes by more than five times the minimum effect.
  @Test func oneJumpIsEnough() throws {
    var changes = [Double](repeating: 0, count: 12)
    changes[4] = 10.1
    #expect(try compare(changes).verdict == .regression)
    #expect(try compare(changes, noise: 0.5).verdict != .regression)
    changes[4] = 9.9
    #expect(try compare(changes).verdict == .withinNoise)
    changes = changes.map { _ in -4 } + [10.1]
    #expect(try compare(changes).verdict == .inconclusive)
  }

  /// Losing three of twelve values exceeds one in twenty; losing one of thirty does not.
  @Test func lossesBeyondOneInTwentyAreARegression() throws {
    func compare(_ count: Int, losing lost: Int) throws -> ComparisonVerdict {
      let id = FigureID("pitch.abs_error", voice: "v0")
      let before = (0..<count).map { cell("r\($0)", [id: .value(3)]) }
      let after = (0..<count).map {
        cell("r\($0)", [id: $0 < lost ? .undefined(Undefined(.silent, "not heard")) : .value(3)])
      }
      return try RunComparison(baseline: before, candidate: after).verdict
    }
    #expect(try compare(12, losing: 3) == .regression)
    #expect(try compare(30, losing: 1) == .withinNoise)
    #expect(try compare(20, losing: 1) == .withinNoise)
  }

  /// Six of twelve values are lost and none gained. The sign test gives 0.5⁶ = 0.016, and 0.063
  /// among four figures. For a deterministic subject it is a regression in any case.
  @Test func lossesByChanceCountAmongAllFigures() throws {
    func compare(voices: Int, noise: Double) throws -> ComparisonVerdict {
      func cells(losing lost: Int) -> [ComparedCell] {
        (0..<12).map { recording in
          var figures: [FigureID: MetricResult.Outcome] = [:]
          for voice in 0..<voices {
            figures[.init("pitch.abs_error", voice: "v\(voice)")] =
              voice == 0 && recording < lost
              ? .undefined(Undefined(.silent, "not heard")) : .value(3)
          }
          return cell("r\(recording)", figures)
        }
      }
      var settings = RunComparison.Settings()
      settings.noise = ["pitch.abs_error": noise]
      return try RunComparison(baseline: cells(losing: 0), candidate: cells(losing: 6), settings)
        .verdict
    }
    #expect(try compare(voices: 1, noise: 0.5) == .regression)
    #expect(try compare(voices: 4, noise: 0.5) == .inconclusive)
    #expect(try compare(voices: 4, noise: 0) == .regression)
  }

  /// Two hundred comparisons of five recordings with twenty figures each, whose runs differ by
  /// normal noise. Half of the 5 % belongs to improvements, so 99 of 100 such series have at most
  /// 12 alarms by the binomial law. A bootstrap alone would give about 90.
  @Test func fewRecordingsSeldomAlarm() throws {
    var random = SeededGenerator(seed: 17)
    func cells() -> [ComparedCell] {
      (0..<5).map { recording in
        var figures: [FigureID: MetricResult.Outcome] = [:]
        for voice in 0..<20 {
          // Nearly normal with a deviation of 4: the sum of twelve uniform numbers less its mean.
          let noise = 4 * ((0..<12).reduce(0) { sum, _ in sum + random.uniform() } - 6)
          figures[.init("pitch.abs_error", voice: "v\(voice)")] = .value(50 + noise)
        }
        return cell("r\(recording)", figures)
      }
    }
    var settings = RunComparison.Settings()
    settings.noise = ["pitch.abs_error": 0.5]
    settings.test.draws = 500
    let alarms = try (0..<200).count { _ in
      try RunComparison(baseline: cells(), candidate: cells(), settings).verdict == .regression
    }
    #expect(alarms <= 12)
  }

  /// A change of one recording in five is no change of all, even beyond the noise of their mean: a
  /// recording that was quiet in five takes need not be in the next five.
  @Test(arguments: [
    ([3.0, 0, 0, 0, 0], false), ([1, 1, 1, 0, 0], true), ([1, 1, 1, 1, -1], false),
  ])
  func halfOfTheRecordingsMustAgree(changes: [Double], isRegression: Bool) {
    let limits = FigureNoise.Limits(
      weights: Array(repeating: 0.2, count: 5), mean: 0.1, error: 0.02,
      recordings: Array(repeating: 10, count: 5))
    let evidence = DifferenceTest.Evidence(
      worsening: changes, effect: 0.5, noise: 0, limits: limits)
    let verdict = DifferenceTest().judge(evidence, interval: nil).otherwise.verdict
    #expect((verdict == .regression) == isRegression)
  }

  /// Three recordings got worse by five on average, the third by less than the four that noise allows. That
  /// is a regression if the takes of all lie apart together, or if the candidate's scatter more.
  @Test(arguments: [
    ([0.0, 1, 0, 1, 0], false, true), ([0, 9, 0, 9, 0], false, false),
    ([0, 9, 0, 9, 0], true, true),
  ])
  func fewRecordingsAreJudgedByTheirMean(spread: [Double], hasGrown: Bool, isRegression: Bool) {
    let changes = [6.0, 6, 3]
    let takes = changes.map { change in
      var takes = RecordingTakes()
      let candidate = spread.map { change + $0 }
      takes.add(
        baseline: spread.sorted(), candidate: candidate,
        changes: zip(candidate, spread.sorted()).map { $0 - $1 })
      return takes
    }
    let limits = FigureNoise.Limits(
      weights: Array(repeating: 1.0 / 3, count: 3), mean: 4, error: 0.1,
      recordings: [100, 100, 100], hasGrown: hasGrown, takes: takes)
    let evidence = DifferenceTest.Evidence(
      worsening: changes, effect: 0.5, noise: 0, limits: limits)
    let verdict = DifferenceTest().judge(evidence, interval: nil).otherwise.verdict
    #expect((verdict == .regression) == isRegression)
  }

  /// The median of one recording lies far beyond its limit. It is a regression only if its takes lie
  /// apart, not if half of them had been there before.
  @Test(arguments: [([0.0, 0, 0, 9, 9], false), ([0.0, 0, 0, 1, 1], true)])
  func takesOfOneRecordingMustLieApart(baseline: [Double], isRegression: Bool) {
    let candidate = [9.0, 9, 9, 9, 9]
    var takes = RecordingTakes()
    takes.add(
      baseline: baseline, candidate: candidate, changes: zip(candidate, baseline).map { $0 - $1 })
    let limits = FigureNoise.Limits(
      weights: [0.5, 0.5], mean: 1, error: 0.1, recordings: [3, 3], takes: [takes, takes])
    for changes in [[9.0, 0], [9, 9]] {
      let evidence = DifferenceTest.Evidence(
        worsening: changes, effect: 0.5, noise: 0, limits: limits)
      let verdict = DifferenceTest().judge(evidence, interval: nil).otherwise.verdict
      #expect((verdict == .regression) == isRegression)
    }
  }
}
