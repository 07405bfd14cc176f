import DSP
import Platform
import Testing

@testable import Gate
@testable import Metrics

@Suite struct RunComparisonTests {
  private static let voices = ["-5", "+4", "+7"]

  /// Twelve recordings whose voices are off by a few cents each; `spread` is the deviation between
  /// runs.
  private static func cells(
    recordings: Int = 12, seed: UInt64 = 1, spread: Double = 0,
    change: (_ recording: Int, _ voice: String) -> Double? = { _, _ in 0 }
  ) -> [ComparedCell] {
    var own = SeededGenerator(seed: 99)
    var random = SeededGenerator(seed: seed)
    return (0..<recordings).map { recording in
      var figures: [FigureID: MetricResult.Outcome] = [:]
      for voice in voices {
        let value = 4 + 3 * own.uniform()
        // Nearly normal with a deviation of 1: the sum of twelve uniform numbers less its mean.
        let noise = spread * ((0..<12).reduce(0) { sum, _ in sum + random.uniform() } - 6)
        figures[.init("pitch.abs_error", voice: voice)] =
          change(recording, voice).map { .value(value + noise + $0) }
          ?? .undefined(Undefined(.silent, "the voice is not heard"))
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

  /// Five recordings that all got worse are no proof if the subject never gives the same twice: chance does so in
  /// one of 32 runs. Twenty are: 2 to the power of -20.
  @Test(arguments: [5, 20], [false, true])
  func aRunOfARandomSubjectIsJudgedByChance(recordings: Int, isRandom: Bool) throws {
    func cells(_ change: Double) -> [ComparedCell] {
      Self.cells(recordings: recordings) { _, _ in change }.map { cell in
        var random = cell
        random.isRandom = isRandom
        return random
      }
    }
    let found = try Self.compare(cells(3), to: cells(0))
    #expect(found.verdict == (isRandom && recordings == 5 ? .inconclusive : .regression))
  }

  @Test func lowerErrorsAreAnImprovement() throws {
    let found = try Self.compare(Self.cells { _, _ in -2.5 })
    #expect(found.differences.allSatisfy { $0.verdict == .improvement })
    // The extreme is the recording that improved most, or got worse by most.
    let uneven = try Self.compare(
      Self.cells { recording, voice in
        (voice == "+4" ? -1 : 1) * (recording == 3 ? 5 : recording == 8 ? 2 : 3)
      })
    #expect(uneven.differences.allSatisfy { $0.extreme?.recording == "r3" })
  }

  @Test func lessThanTheMinimumEffectIsNoise() throws {
    // The minimum effect is 2 cents.
    let found = try Self.compare(Self.cells { _, _ in 0.9 })
    #expect(found.verdict == .withinNoise)
  }

  /// Changes of 9.5 and -4.5 cents, with a mean of 2.5, are inconclusive.
  @Test func disagreeingRecordingsAreInconclusive() throws {
    let found = try Self.compare(Self.cells { recording, _ in recording % 2 == 0 ? 9.5 : -4.5 })
    #expect(found.verdict == .inconclusive)
  }

  @Test func oneBrokenRecordingIsSeenDespiteAFineMean() throws {
    // 15 cents on one of twelve is 1.25 on average, below the minimum effect of 2.
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

  @Test func fewRecordingsMustAgree() throws {
    #expect(try Self.compare(Self.cells(recordings: 3) { _, _ in 3 }).verdict == .regression)
    #expect(
      try Self.compare(Self.cells(recordings: 3) { $0 == 0 && $1 == "+4" ? 9 : -1 }).verdict
        == .inconclusive)
    #expect(try Self.compare(Self.cells(recordings: 3)).verdict == .withinNoise)
  }

  /// Two hundred pairs of equal runs of a random subject, whose figures differ by more than the minimum effect.
  /// One false verdict in 200 is allowed; by the binomial law 5 are beyond that with 99 % certainty.
  @Test func equalRunsSeldomAlarm() throws {
    var settings = RunComparison.Settings()
    settings.rule.isRandom = true
    let alarms = try (0..<200).count { trial in
      let found = try Self.compare(
        Self.cells(seed: UInt64(2 * trial + 2), spread: 4),
        to: Self.cells(seed: UInt64(2 * trial + 1), spread: 4), settings)
      return found.verdict == .regression
    }
    #expect(alarms < 5)
  }

  /// A single recording of a deterministic subject detects the minimum effect, and nothing smaller.
  @Test func oneRecordingDetectsTheMinimumEffect() throws {
    let same = try Self.compare(Self.cells(recordings: 1))
    #expect(same.differences.allSatisfy { $0.minimumDetectableEffect == 2 })
    #expect(try Self.compare(Self.cells(recordings: 1) { _, _ in 2.01 }).verdict == .regression)
    #expect(try Self.compare(Self.cells(recordings: 1) { _, _ in 1.9 }).verdict == .withinNoise)
  }

  @Test func cellsThatCantBeComparedAreNamed() throws {
    let all = Self.cells()
    let fewer = try Self.compare(Array(all.dropLast(2)), to: all)
    #expect(fewer.missing.map(\.recording) == ["r10", "r11"] && fewer.pairedCells == 10)
    #expect(throws: Refusal.self) { try Self.compare([], to: all) }
    #expect(throws: Refusal.self) { try Self.compare(all + all, to: all) }
  }
}
