import DSP
import Foundation
import Testing

@testable import Gate
@testable import Metrics

/// The rule on tables of one take and of five.
@Suite struct VerdictRuleTests {
  /// Changes of twelve recordings with a mean of 2.5333. The two-sided p-value of scipy is 0.027344 by sign
  /// flips (`permutation_test`) and 0.021870 by t (`ttest_1samp`).
  private static let twelve = [3.1, 2.2, 4.6, -2.4, 5.2, 2.9, -4.8, 3.7, 1.1, 6.3, 5.9, 2.6]

  /// Compares runs whose first voice changed by `changes`, one recording and take each, and whose other
  /// voices did not. A take without a change has no value on either side.
  private static func compare(
    _ changes: [[Double?]], metric: String = "pitch.abs_error", voices: Int = 1,
    _ change: (inout RunComparison.Settings) -> Void = { _ in }
  ) throws -> RunComparison {
    func takes(_ scale: Double) -> Takes {
      let runs = changes[0].indices.map { take in
        changes.enumerated().map { recording, row in
          cell(
            "r\(recording)",
            Dictionary(
              uniqueKeysWithValues: (0..<voices).compactMap { voice in
                row[take].map {
                  (FigureID(metric, voice: "v\(voice)"), .value(7 + (voice == 0 ? scale * $0 : 0)))
                }
              }))
        }
      }
      return Takes(runs[0], runs: Array(runs.dropFirst()))
    }
    var settings = RunComparison.Settings()
    change(&settings)
    return try RunComparison(baseline: takes(0), candidate: takes(1), settings)
  }

  private static func cell(
    _ recording: String, condition: String = "clean",
    _ figures: [FigureID: MetricResult.Outcome]
  ) -> ComparedCell {
    ComparedCell(
      .init(recording: recording, condition: condition, score: "chord", configuration: "toy"),
      figures: figures)
  }

  private static func first(_ comparison: RunComparison) throws -> MetricDifference {
    try #require(comparison.differences.first { $0.voice == "v0" })
  }

  /// A recording in which only one of five takes has a value does not hide what all the others show. Each
  /// take weighs 1/16 here; the p-value of scipy's `ttest_1samp` is 1.33903e-15, and 40 figures share it with
  /// five decisions each.
  @Test func aRecordingWithOneValueHidesNothing() throws {
    let rows: [[Double?]] = Array(repeating: [3.5, 2.5, 3, 3.25, 2.75], count: 3)
    let found = try Self.first(Self.compare(rows + [[3, nil, nil, nil, nil]], voices: 40))
    #expect(found.verdict == .regression && found.recordings == 4)
    #expect(abs(found.pValue / (200 * 1.33903e-15) - 1) < 1e-3)
  }

  // MARK: - One take

  /// Chance decides where recordings disagree: the p-value of the flips, times the decisions. Among a hundred
  /// figures twelve flips cannot reach the limit, so t is asked, and it has no proof either.
  @Test func theLevelIsSharedByAllDecisions() throws {
    func found(voices: Int, level: Double) throws -> MetricDifference {
      try Self.first(
        Self.compare(Self.twelve.map { [$0] }, voices: voices) { $0.rule.level = level })
    }
    let alone = try found(voices: 1, level: 0.03)
    #expect(abs(alone.pValue - 0.027344) < 1e-6 && alone.verdict == .regression)
    #expect(abs(try #require(alone.worsening) - 2.533333) < 1e-6)
    #expect(try found(voices: 1, level: 0.02).verdict == .inconclusive)
    let amongThree = try found(voices: 3, level: 0.03)
    #expect(abs(amongThree.pValue - 3 * 0.027344) < 3e-6 && amongThree.verdict == .inconclusive)
    let amongHundred = try found(voices: 100, level: 0.03)
    #expect(abs(amongHundred.pValue - 1) < 1e-9 && amongHundred.verdict == .inconclusive)
  }

  /// Nothing but the program moves a deterministic subject, so it is enough that all recordings agree and
  /// the mean reaches the minimum effect of 2 cents. A random subject needs more than five takes.
  @Test func recordingsThatAgreeAreEnoughForADeterministicSubject() throws {
    let five = [2.2, 2.9, 1.4, 9.3, 3.2].map { [$0] }
    #expect(try Self.compare(five, voices: 9).verdict == .regression)
    #expect(
      try Self.compare(five.map { [-$0[0]] }, voices: 9).differences[0].verdict == .improvement)
    #expect(try Self.compare(five, voices: 9) { $0.rule.isRandom = true }.verdict == .inconclusive)
    #expect(try Self.compare(five.map { [$0[0] / 2] }).verdict == .withinNoise)
    #expect(try Self.compare([[2.01]]).verdict == .regression)
    #expect(try Self.compare([[1.99]]).verdict == .withinNoise)
  }

  /// Thirty recordings of a random subject prove a change by themselves; a given minimum effect replaces the
  /// metric's 2 cents.
  @Test func manyRecordingsProveAChangeOfARandomSubject() throws {
    let many = (0..<30).map { [2.5 + 0.1 * Double($0 % 5)] }
    #expect(try Self.compare(many) { $0.rule.isRandom = true }.verdict == .regression)
    let given = try Self.compare(many) {
      $0.rule.isRandom = true
      $0.minimumEffects = ["pitch.abs_error": 3]
    }
    #expect(given.verdict == .withinNoise)
  }

  /// One recording of a deterministic subject changes by five times the minimum effect.
  @Test func oneRecordingIsEnough() throws {
    var changes = Array(repeating: [0.0], count: 12)
    changes[4] = [10.1]
    let found = try Self.compare(changes)
    #expect(found.verdict == .regression && found.differences[0].extreme?.recording == "r4")
    #expect(try Self.compare(changes) { $0.rule.isRandom = true }.verdict != .regression)
    changes[4] = [9.9]
    #expect(try Self.compare(changes).verdict == .withinNoise)
  }

  /// A recording with many conditions counts once: the mean of 9, -4, 8, -3 and 2.6 is 2.52 however often
  /// each was measured.
  @Test func recordingsAreCountedNotCells() throws {
    let changes = [9, -4, 8, -3, 2.6]
    func cells(_ scale: Double) -> [ComparedCell] {
      changes.enumerated().flatMap { recording, change in
        (0..<(recording == 0 ? 32 : 8)).map { condition in
          Self.cell(
            "r\(recording)", condition: "c\(condition)",
            [.init("pitch.abs_error", voice: "v0"): .value(7 + scale * change)])
        }
      }
    }
    let found = try Self.first(RunComparison(baseline: cells(0), candidate: cells(1)))
    #expect(found.recordings == 5 && found.cells == 64)
    #expect(abs(try #require(found.worsening) - 2.52) < 1e-9 && found.verdict == .inconclusive)
  }

  /// Each of 3000 settings has one random figure. The order of the cells changes nothing, and the one true
  /// regression is found.
  @Test func thousandsOfFiguresDoNotDependOnTheOrder() throws {
    var random = SeededGenerator(seed: 3)
    func cells(_ change: (Int) -> Double) -> [ComparedCell] {
      (0..<3000).flatMap { setting in
        (0..<6).map { recording in
          ComparedCell(
            .init(
              recording: "r\(recording)", condition: "clean", score: "chord",
              configuration: "toy \(setting)"),
            figures: [
              .init("pitch.abs_error"): .value(20 + change(setting) + 3 * (random.uniform() - 0.5))
            ])
        }
      }
    }
    let (before, after) = (cells { _ in 0 }, cells { $0 == 1234 ? 60 : 0 })
    let found = try RunComparison(baseline: before, candidate: after)
    #expect(found.differences.count == 3000 && found.count(.regression) == 1)
    #expect(found.differences[0].configuration == "toy 1234")
    let turned = try RunComparison(baseline: before, candidate: after.reversed())
    let verdicts = { (one: RunComparison) in
      one.differences.sorted { $0.configuration < $1.configuration }.map(\.verdict)
    }
    #expect(verdicts(found) == verdicts(turned))
  }

  // MARK: - Takes

  /// Five takes of each recording, with normal noise of one unit on each side.
  private static func noisy(
    _ random: inout SeededGenerator, recordings: Int = 5, offset: Double = 0
  ) -> [[Double]] {
    (0..<recordings).map { _ in
      (0..<5).map { _ in
        offset + (0..<12).reduce(-6) { sum, _ in sum + random.uniform() }
          - (0..<12).reduce(-6) { sum, _ in sum + random.uniform() }
      }
    }
  }

  /// Nothing but noise changed, and the minimum effect is so small that it protects from nothing. One false
  /// verdict in 200 is allowed; by the binomial law 600 gates have at most 8 with 99 % certainty.
  @Test(arguments: [5, 8]) func noiseSeldomGivesAVerdict(recordings: Int) throws {
    var random = SeededGenerator(seed: 2)
    let alarms = try (0..<600).count { _ in
      let found = try Self.compare(Self.noisy(&random, recordings: recordings)) {
        // A single recording needs five minimum effects; here all do that noise moves so far.
        $0.minimumEffects = ["pitch.abs_error": 0.01]
        $0.rule.jump = 1000
      }
      return [.regression, .improvement].contains(found.verdict)
    }
    #expect(alarms <= 8, "\(alarms) of 600")
  }

  /// The minimum detectable effect is found in 95 of 100 gates; 90 would be below that with 99 % certainty.
  @Test func theMinimumDetectableEffectIsFound() throws {
    var random = SeededGenerator(seed: 3)
    let detectable = { (found: MetricDifference) in found.minimumDetectableEffect ?? .infinity }
    let settings = { (settings: inout RunComparison.Settings) in
      settings.minimumEffects = ["pitch.abs_error": 0.1]
    }
    let stated = detectable(try Self.first(Self.compare(Self.noisy(&random), settings)))
    let found = try (0..<100).count { _ in
      try Self.compare(Self.noisy(&random, offset: stated), settings).verdict == .regression
    }
    #expect(found >= 90, "\(found) of 100 at \(stated)")
  }

  /// Three recordings and even one are enough where noise is known: fifteen or five takes that agree have
  /// a t of more than a hundred. Few flips could never show it.
  @Test(arguments: [1, 3]) func fewRecordingsAreEnoughWithTakes(recordings: Int) throws {
    let rows = Array(repeating: [12.1, 12.2, 12, 12.3, 12.1], count: recordings)
    let found = try Self.compare(rows) { $0.rule.jump = 1000 }
    #expect(found.verdict == .regression)
    let better = try Self.compare(rows.map { $0.map { -$0 } })
    #expect(better.differences[0].verdict == .improvement)
  }

  /// Runs of five takes, a row for each recording; `nil` has no value.
  private static func takes(_ rows: [[Double?]]) -> Takes {
    let runs = rows[0].indices.map { take in
      rows.enumerated().map { recording, row in
        cell(
          "r\(recording)",
          [
            .init("pitch.abs_error", voice: "v0"): row[take].map { .value($0) }
              ?? .undefined(Undefined(.uncertain, "the test leaves it out"))
          ])
      }
    }
    return Takes(runs[0], runs: Array(runs.dropFirst()))
  }

  /// Takes of a random subject come in two clusters ten cents apart, as counts and onsets do. By Student's t a
  /// recording whose takes fall apart by chance is proof; exchanged, they are none. By the binomial law 600
  /// gates have at most 8 false verdicts with 99 % certainty.
  @Test(arguments: [5, 30]) func clustersOfARandomSubjectSeldomGiveAVerdict(recordings: Int) throws
  {
    var random = SeededGenerator(seed: 6)
    func side() -> Takes {
      Self.takes((0..<recordings).map { _ in (0..<5).map { _ in random.uniform() < 0.5 ? 5 : 15 } })
    }
    var settings = RunComparison.Settings()
    settings.rule.isRandom = true
    let alarms = try (0..<600).count { _ in
      let found = try RunComparison(baseline: side(), candidate: side(), settings)
      return [.regression, .improvement].contains(found.verdict)
    }
    #expect(alarms <= 8, "\(alarms) of 600")
  }

  /// Five recordings of a random subject, two of which chance moves by up to fifty cents: 3 cents on the others are
  /// proof, though their fifteen takes have too few signs for it.
  @Test func exchangesProveWhatSignsCannot() throws {
    var random = SeededGenerator(seed: 7)
    func side(_ offset: Double) -> Takes {
      Self.takes(
        (0..<5).map { recording in
          (0..<5).map { _ in 20 + offset + (recording < 2 ? 100 : 0.2) * (random.uniform() - 0.5) }
        })
    }
    var settings = RunComparison.Settings()
    settings.rule.isRandom = true
    settings.rule.level = 2e-6
    #expect(
      try RunComparison(baseline: side(0), candidate: side(3), settings).verdict == .regression)
    #expect(
      try RunComparison(baseline: side(0), candidate: side(0), settings).verdict != .regression)
  }

  /// One value of five takes is no measurement without chance, however far it moved.
  @Test func oneValueOfFiveTakesProvesNothing() throws {
    func side(_ value: Double) -> Takes {
      Self.takes([[value, nil, nil, nil, nil], [nil, nil, nil, nil, nil]])
    }
    #expect(try RunComparison(baseline: side(7), candidate: side(70)).verdict != .regression)
  }

  /// A recording is far worse only if its takes lie apart and by more than they scatter: not if some of them
  /// had been there before. Their t values of eight degrees are 142, 17 and 4.2, and the limit is 5.7.
  @Test(arguments: [
    ([9.0, 9, 9, 9, 9], true), ([9, 9, 9, 0, 0], false), ([4, 8, 12, 16, 20], false),
    ([10, 11, 12, 13, 14], true),
  ])
  func takesOfOneRecordingMustLieApart(changed: [Double], isRegression: Bool) throws {
    let rows = [changed] + Array(repeating: [0.0, 0, 0, 0, 0], count: 19)
    let found = try Self.compare(rows) { $0.minimumEffects = ["pitch.abs_error": 1] }
    #expect((found.verdict == .regression) == isRegression)
    if isRegression {
      let place = try #require(found.differences[0].extreme)
      #expect(place.recording == "r0" && place.baselineTakes == 7...7)
      #expect(found.differences[0].place?.hasPrefix("r0, voice v0: pitch error 7 → ") == true)
    }
  }

  /// A sign says which way a delay, a pitch or a level moved.
  @Test(arguments: [
    ("latency.voice", 2.0, "delay of the voice alone 7 → 9 ms, 2 ms later"),
    ("pitch.bias", -3, "pitch bias 7 → 4 cents, 3 cents flatter"),
    ("pitch.abs_error", 3, "pitch error 7 → 10 cents"),
  ])
  func theDirectionIsInWords(metric: String, change: Double, words: String) throws {
    let found = try Self.compare([[change], [change]], metric: metric)
    #expect(found.differences[0].place == "r0, voice v0: \(words)")
  }

  /// Every take is moved by one unit, on both sides alike, so a change of a fifth of it is found.
  @Test func whatMovesBothSidesIsNoNoise() throws {
    var random = SeededGenerator(seed: 4)
    func takes(_ offset: Double) -> Takes {
      let runs = (1...5).map { seed in
        var moved = SeededGenerator(seed: UInt64(seed))
        var moves: [Double] = []
        for _ in 0..<6 { moves.append(2 * moved.uniform()) }
        return GateSamples.run { recording, _, _ in
          offset + moves[recording] + 0.01 * random.uniform()
        }.cells
      }
      return Takes(runs[0], runs: Array(runs.dropFirst()))
    }
    var settings = RunComparison.Settings()
    settings.minimumEffects = ["pitch.abs_error": 0.1, "latency.onset": 0.1]
    let found = try RunComparison(baseline: takes(0), candidate: takes(0.2), settings)
    #expect(found.count(.regression) == 3)
  }

  /// Twenty of thirty takes have a click more, in no recording all; a fair coin does so once in a million
  /// times. Fourteen more and six fewer are chance.
  @Test func clicksByChanceAreCounted() throws {
    func rows(more: Int, fewer: Int) -> [[Double]] {
      let changes = Array(repeating: 1.0, count: more) + Array(repeating: -1.0, count: fewer)
      let all = changes + Array(repeating: 0.0, count: 30 - changes.count)
      // One take of each recording after another, so that none has all clicks.
      return (0..<6).map { recording in (0..<5).map { all[6 * $0 + recording] } }
    }
    let found = try Self.compare(rows(more: 20, fewer: 0), metric: "clicks.count")
    #expect(found.verdict == .regression && found.differences[0].eventCells.count == 6)
    #expect(
      try Self.compare(rows(more: 14, fewer: 6), metric: "clicks.count").verdict != .regression)
  }

  // MARK: - Lost values

  /// Compares cells of which the first `lost` of `count` lose their value.
  private static func comparison(
    _ count: Int, losing lost: Int, gaining: Int = 0, isRandom: Bool = false
  ) throws -> RunComparison {
    let id = FigureID("pitch.abs_error", voice: "v0")
    let none = MetricResult.Outcome.undefined(Undefined(.silent, "not heard"))
    let before = (0..<count).map { cell("r\($0)", [id: $0 >= count - gaining ? none : .value(3)]) }
    let after = (0..<count).map { cell("r\($0)", [id: $0 < lost ? none : .value(3)]) }
    var settings = RunComparison.Settings()
    settings.rule.isRandom = isRandom
    return try RunComparison(baseline: before, candidate: after, settings)
  }

  /// Losing three of twelve values exceeds one in twenty; losing one of thirty does not. A random subject
  /// needs ten lost values and none gained: 2^-8 is within 0.005 / 2, but 2^-9 is needed.
  @Test func lossesBeyondOneInTwentyAreARegression() throws {
    let lost = try Self.comparison(12, losing: 3)
    #expect(lost.verdict == .regression && lost.differences[0].reason.contains("not heard"))
    #expect(try Self.comparison(30, losing: 1).verdict == .withinNoise)
    #expect(try Self.comparison(20, losing: 8, isRandom: true).verdict == .inconclusive)
    #expect(try Self.comparison(20, losing: 9, isRandom: true).verdict == .regression)
    #expect(try Self.comparison(20, losing: 5, gaining: 5).verdict == .withinNoise)
    #expect(try Self.comparison(12, losing: 12).verdict == .regression)
  }

  /// A figure that comes and goes in a third of the takes is not lost when it is away; one that is away in
  /// all takes is.
  @Test func presenceIsComparedTakeByTake() throws {
    var random = SeededGenerator(seed: 5)
    func takes(losing share: Double) -> Takes {
      let runs = (0..<5).map { _ in
        var lost: [Bool] = []
        for _ in 0..<6 { lost.append(random.uniform() < share) }
        return GateSamples.run { recording, _, voice in
          voice == "+4" && lost[recording] ? nil : 0
        }.cells
      }
      return Takes(runs[0], runs: Array(runs.dropFirst()))
    }
    for _ in 0..<100 {
      let comparison = try RunComparison(
        baseline: takes(losing: 0.33), candidate: takes(losing: 0.33))
      #expect(comparison.verdict != .regression)
    }
    let gone = try RunComparison(baseline: takes(losing: 0.33), candidate: takes(losing: 1))
    #expect(gone.verdict == .regression)
  }

  /// A value that only the baseline's unperturbed take had is lost if it can't be measured under
  /// perturbations, and no loss if it was measured there and had none.
  @Test(arguments: [Undefined.Code.notObservable, .uncertain])
  func whatCameOnceIsLostOnlyIfItIsNotMeasuredAgain(code: Undefined.Code) throws {
    func cells(has: Bool) -> [ComparedCell] {
      GateSamples.run().cells.map { cell in
        var figures = cell.figures
        if !has { figures[.init("latency.onset")] = .undefined(Undefined(code, "no value")) }
        return ComparedCell(cell.address, figures: figures)
      }
    }
    func values(_ cells: [ComparedCell]) -> [ComparedCell] {
      cells.map { $0.keeping(["pitch.abs_error", "latency.onset"]) }
    }
    let none = cells(has: false)
    let comparison = try RunComparison(
      baseline: Takes(values(cells(has: true)), runs: Array(repeating: values(none), count: 4)),
      candidate: Takes(none, runs: Array(repeating: none, count: 4)))
    #expect((comparison.verdict == .regression) == (code == .notObservable))
  }
}
