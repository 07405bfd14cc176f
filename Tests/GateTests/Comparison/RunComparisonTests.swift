import DSP
import Testing

@testable import Cost
@testable import Gate
@testable import Metrics

@Suite struct RunComparisonTests {
  private static let voices = ["-5", "+4", "+7"]

  /// Twelve recordings whose voices are off by a few cents, each by its own; `spread` is what one
  /// run differs from another by.
  private static func cells(
    recordings: Int = 12, seed: UInt64 = 1, spread: Double = 0,
    change: (_ recording: Int, _ voice: String) -> Double? = { _, _ in 0 }
  ) -> [ComparedCell] {
    var own = SeededGenerator(seed: 99)
    var random = SeededGenerator(seed: seed)
    return (0..<recordings).map { recording in
      var figures: [ComparedCell.FigureID: MetricResult.Outcome] = [:]
      for voice in voices {
        let value = 4 + 3 * own.uniform()
        // Nearly normal, of deviation 1: twelve uniform ones less their mean.
        let noise = spread * ((0..<12).reduce(0) { sum, _ in sum + random.uniform() } - 6)
        figures[.init("pitch.abs_error", voice: voice)] =
          change(recording, voice).map { .value(value + noise + $0) }
          ?? .undefined("the voice is not heard")
      }
      return ComparedCell(
        .init(
          recording: "r\(recording)", condition: "clean", score: "chord",
          configuration: "reference"),
        figures: figures)
    }
  }

  private static func compare(
    _ candidate: [ComparedCell], to baseline: [ComparedCell]? = nil,
    _ settings: RunComparison.Settings = .init()
  ) throws -> RunComparison {
    try RunComparison(
      baseline: baseline ?? cells(recordings: candidate.count), candidate: candidate, settings)
  }

  @Test func threeCentsOnOneVoiceAreSeenThereAlone() throws {
    let found = try Self.compare(Self.cells { _, voice in voice == "+4" ? 3 : 0 })
    #expect(found.verdict == .regression)
    #expect(found.count(.regression) == 1)
    let worst = try #require(found.differences.first)
    #expect(worst.voice == "+4" && worst.metric == "pitch.abs_error")
    #expect(abs(worst.worsening! - 3) < 1e-9)
    #expect(found.differences.dropFirst().allSatisfy { $0.verdict == .withinNoise })
  }

  @Test func whatIsBetterIsAnImprovement() throws {
    let found = try Self.compare(Self.cells { _, _ in -2.5 })
    #expect(found.differences.allSatisfy { $0.verdict == .improvement })
    // What is shown of it is the recording that got better by most, of what got worse the worst.
    let uneven = try Self.compare(
      Self.cells { recording, voice in
        (voice == "+4" ? -1 : 1) * (recording == 3 ? 5 : recording == 8 ? 2 : 3)
      })
    #expect(uneven.differences.allSatisfy { $0.extreme?.recording == "r3" })
  }

  @Test func lessThanMattersIsNoise() throws {
    // What matters is 2 cents.
    let found = try Self.compare(Self.cells { _, _ in 0.9 })
    #expect(found.verdict == .withinNoise)
  }

  /// Recordings that go both ways by ten cents and on average by 2.5 say nothing for sure.
  @Test func whatDisagreesIsInconclusive() throws {
    let found = try Self.compare(Self.cells { recording, _ in recording % 2 == 0 ? 9.5 : -4.5 })
    #expect(found.verdict == .inconclusive)
  }

  @Test func oneRecordingThatBreaksIsSeenThoughTheMeanIsFine() throws {
    // 15 cents on one of twelve: 1.25 on average, below the 2 that matter.
    let found = try Self.compare(
      Self.cells { recording, voice in recording == 7 && voice == "+7" ? 15 : 0 })
    let worst = try #require(found.differences.first)
    #expect(worst.verdict == .regression && worst.voice == "+7")
    #expect(worst.extreme?.recording == "r7")
  }

  @Test func aVoiceThatIsGoneIsARegression() throws {
    let found = try Self.compare(Self.cells { _, voice in voice == "-5" ? nil : 0 })
    let worst = try #require(found.differences.first)
    #expect(worst.verdict == .regression && worst.voice == "-5" && worst.lost == 12)
    #expect(worst.lossReason == "the voice is not heard" && worst.candidate == nil)
  }

  /// Of a subject that never does the same twice, values come and go: two of twelve lost say nothing
  /// (1 in 4 by coins), and as many lost as gained say nothing of any subject.
  @Test func whatComesAndGoesByChanceIsNoRegression() throws {
    let fewer = Self.cells { recording, _ in recording < 2 ? nil : 0 }
    #expect(try Self.compare(fewer).verdict == .regression)
    var nondeterministic = RunComparison.Settings()
    nondeterministic.noise = ["pitch.abs_error": 0.5]
    #expect(try Self.compare(fewer, to: nil, nondeterministic).verdict == .inconclusive)
    let others = Self.cells { recording, _ in 2..<4 ~= recording ? nil : 0 }
    #expect(try Self.compare(fewer, to: others).verdict == .withinNoise)
  }

  @Test func fewRecordingsMustAllSayTheSame() throws {
    #expect(try Self.compare(Self.cells(recordings: 3) { _, _ in 3 }).verdict == .regression)
    #expect(
      try Self.compare(Self.cells(recordings: 3) { $0 == 0 && $1 == "+4" ? 3 : 0 }).verdict
        == .inconclusive)
    #expect(try Self.compare(Self.cells(recordings: 3)).verdict == .withinNoise)
  }

  /// Two hundred pairs of equal runs whose figures differ at random by more than what matters: at
  /// most one in twenty may say anything by the level, and half of those that something got better.
  /// By the binomial law, 12 of 200 would be beyond 2.5 % with 99 % certainty.
  @Test func equalRunsSeldomAlarm() throws {
    var settings = RunComparison.Settings()
    // A subject that never does the same twice has no "jump" of one recording.
    settings.noise = ["pitch.abs_error": 0.5]
    let alarms = try (0..<200).count { trial in
      let found = try Self.compare(
        Self.cells(seed: UInt64(2 * trial + 2), spread: 4),
        to: Self.cells(seed: UInt64(2 * trial + 1), spread: 4), settings)
      return found.verdict == .regression
    }
    #expect(alarms < 12)
  }

  /// The change that is said to be found nearly surely is: with 95 % of twelve recordings as spread
  /// as those at hand. 89 of 100 would be below that with 99 % certainty.
  @Test func theStatedChangeIsFound() throws {
    var settings = RunComparison.Settings()
    settings.noise = ["pitch.abs_error": 0.5]
    let stated = try #require(
      Self.compare(Self.cells(seed: 3, spread: 1), to: nil, settings).differences[0]
        .minimumDetectableEffect)
    #expect(stated > 2)
    let found = try (0..<100).count { trial in
      let candidate = Self.cells(seed: UInt64(trial + 10), spread: 1) { _, voice in
        voice == "+4" ? stated : 0
      }
      return try Self.compare(candidate, to: nil, settings).verdict == .regression
    }
    #expect(found >= 90)
  }

  /// A single recording of a subject that always does the same: what matters is found, no less.
  @Test func oneRecordingFindsWhatMatters() throws {
    let same = try Self.compare(Self.cells(recordings: 1))
    #expect(same.differences.allSatisfy { $0.minimumDetectableEffect == 2 })
    #expect(try Self.compare(Self.cells(recordings: 1) { _, _ in 2.01 }).verdict == .regression)
    #expect(try Self.compare(Self.cells(recordings: 1) { _, _ in 1.9 }).verdict == .withinNoise)
  }

  @Test func notWorseIsShownOrNot() throws {
    var settings = RunComparison.Settings()
    settings.notWorseThan = ["pitch.abs_error": 1]
    let near = try Self.compare(Self.cells(seed: 5, spread: 0.3), to: nil, settings)
    #expect(near.differences.allSatisfy { $0.notWorseP! < 0.05 })
    let far = try Self.compare(Self.cells(seed: 5, spread: 0.3) { _, _ in 1 }, to: nil, settings)
    #expect(far.differences.allSatisfy { $0.notWorseP! > 0.05 })
  }

  @Test func cellsThatCantBeComparedAreNamed() throws {
    let all = Self.cells()
    let fewer = try Self.compare(Array(all.dropLast(2)), to: all)
    #expect(fewer.missing.map(\.recording) == ["r10", "r11"] && fewer.pairedCells == 10)
    #expect(throws: ComparisonError.self) { try Self.compare([], to: all) }
    #expect(throws: ComparisonError.self) { try Self.compare(all + all, to: all) }
  }
}
