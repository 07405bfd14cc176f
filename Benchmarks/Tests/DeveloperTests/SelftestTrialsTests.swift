import DSP
import Statistics
import Testing

@testable import Corpus
@testable import Gate
@testable import Metrics
@testable import Subjects
@testable import Sweep
@testable import choir_dev

/// Trials on invented figures, whose results follow by hand.
@Suite struct SelftestTrialsTests {
  private static let labels = ["-5", "+4"]
  private static let defect = Defect(
    "toy", "one voice is off", Damage(kind: .detuned, dose: 3), seenBy: ["pitch.abs_error"],
    measuring: ["pitch"])

  private static func entry(_ id: String, kind: String = "sung") -> ManifestEntry {
    ManifestEntry(id: id, source: "test", licence: "CC0-1.0", voice: "alto", kind: kind)
  }

  private static func cell(_ recording: String, _ cents: [Double]) -> ComparedCell {
    var figures: [FigureID: MetricResult.Outcome] = [:]
    for (voice, value) in zip(labels, cents) {
      figures[.init("pitch.abs_error", voice: voice)] = .value(value)
    }
    return ComparedCell(
      .init(recording: recording, condition: "clean", score: "chord", configuration: "toy"),
      figures: figures)
  }

  /// Twenty recordings and a probe. The defective voice is off by `worse`, the other by `other`.
  private static func tried(
    worse: Double, other: Double = 0
  ) -> ([SelftestBench.Measured], MeasuredDefect) {
    var measured = MeasuredDefect(defect, voiceCount: 2, renderings: 1)
    let bench = (0..<21).map { index -> SelftestBench.Measured in
      let recording = entry("r\(index)", kind: index == 20 ? "probe" : "sung")
      let base = [4 + 0.1 * Double(index), 5 - 0.1 * Double(index)]
      var cells: [MeasuredDefect.Variant: ComparedCell] = [:]
      for voice in 0..<2 where measured.concerns(recording) {
        var cents = base
        cents[voice] += worse
        cents[1 - voice] += other
        cells[.init(place: .voice(voice), rendering: 0)] = cell(recording.id, cents)
      }
      measured.renderingsOf[recording.id] = .init(cells: cells)
      return .init(
        recording: recording, right: cell(recording.id, base), again: cell(recording.id, base),
        wrong: [.init(cells: cells)], nondeterministic: [])
    }
    return (bench, measured)
  }

  /// A defect that a recording has by chance, to be rendered twice.
  private static var randomDefect: MeasuredDefect {
    let dropped = Defect(
      "toy", "one voice drops", Damage(kind: .dropped, dose: 200), seenBy: ["pitch.abs_error"],
      measuring: ["pitch"])
    return MeasuredDefect(dropped, voiceCount: 2, renderings: 2)
  }

  private static func outcome(
    _ measured: MeasuredDefect, on bench: [SelftestBench.Measured], trials: Int = 20
  ) throws -> DefectTrials.Outcome {
    var settings = Selftest.Settings()
    settings.trials = trials
    return try DefectTrials.run(measured, on: bench, labels: labels, settings)
  }

  private func outcome(worse: Double, other: Double = 0) throws -> DefectTrials.Outcome {
    let (bench, measured) = Self.tried(worse: worse, other: other)
    return try Self.outcome(measured, on: bench)
  }

  /// The minimum effect is 2 cents.
  @Test(arguments: [(3.0, 20), (1.0, 0), (0, 0), (-3, 0)])
  func defectsBeyondTheMinimumEffectAreFound(worse: Double, found: Int) throws {
    let outcome = try outcome(worse: worse)
    #expect(outcome.detected == found)
    // Each trial draws four fifths of twenty recordings, and the probe, whose figure is unchanged.
    let mean = worse * 16 / 17
    #expect(abs(try #require(outcome.worsening["pitch.abs_error"]) - mean) < 1e-9)
  }

  /// An alarm in the right voice does not count as found.
  @Test func anAlarmInAnotherVoiceIsNoFinding() throws {
    let outcome = try outcome(worse: 0, other: 5)
    #expect(outcome.detected == 0 && outcome.regressions["pitch.abs_error"] == 20)
  }

  /// A regression of a metric that is not expected does not count as found.
  @Test func anAlarmOfAnotherMetricIsNoFinding() throws {
    let (bench, _) = Self.tried(worse: 0)
    let other = Defect(
      "toy", "one voice is off", Damage(kind: .detuned, dose: 3), seenBy: ["pitch.bias"],
      measuring: ["pitch"])
    var measured = MeasuredDefect(other, voiceCount: 2, renderings: 1)
    for one in bench.dropLast() {
      for voice in 0..<2 {
        measured.renderingsOf[one.recording.id, default: .init()].cells[
          .init(place: .voice(voice), rendering: 0)] =
          Self.cell(one.recording.id, [90, 90])
      }
    }
    let outcome = try Self.outcome(measured, on: bench, trials: 10)
    #expect(outcome.detected == 0 && outcome.regressions == ["pitch.abs_error": 10])
  }

  /// One rendering of one recording has the fault, for either voice.
  @Test func everyTrialHasARandomFault() throws {
    let (bench, _) = Self.tried(worse: 0)
    var measured = Self.randomDefect
    for one in bench where measured.concerns(one.recording) {
      measured.renderingsOf[one.recording.id] = .init(
        cells: Dictionary(uniqueKeysWithValues: measured.variants.map { ($0, one.right) }),
        intact: Set(measured.variants))
    }
    for voice in 0..<2 {
      let variant = MeasuredDefect.Variant(place: .voice(voice), rendering: 1)
      measured.renderingsOf["r7"]?.cells[variant] = Self.cell("r7", [90, 90])
      measured.renderingsOf["r7"]?.intact.remove(variant)
    }
    let outcome = try Self.outcome(measured, on: bench)
    #expect(outcome.detected == 20)
  }

  /// A defect that shows in one of two places is found in some of twenty trials, not in all.
  @Test func placesAreDrawn() throws {
    var (bench, measured) = Self.tried(worse: 3)
    for one in bench {
      measured.renderingsOf[one.recording.id]?.cells[.init(place: .voice(1), rendering: 0)] = nil
    }
    bench.removeLast()
    let outcome = try Self.outcome(measured, on: bench)
    #expect(1...19 ~= outcome.detected)
  }

  /// One of two renderings is off by 8 cents, so the mean is off by about 4, and each trial finds it.
  @Test func renderingsAreDrawn() throws {
    let (bench, _) = Self.tried(worse: 0)
    var measured = Self.randomDefect
    for (index, one) in bench.enumerated() where measured.concerns(one.recording) {
      let base = [4 + 0.1 * Double(index), 5 - 0.1 * Double(index)]
      for variant in measured.variants {
        guard case .voice(let voice) = variant.place else { continue }
        var cents = base
        cents[voice] += 8 * Double(variant.rendering)
        measured.renderingsOf[one.recording.id, default: .init()].cells[variant] =
          Self.cell(one.recording.id, cents)
      }
    }
    let outcome = try Self.outcome(measured, on: bench)
    // Sixteen coins in each of twenty trials: the median count is 8, within about 1.
    let worsening = try #require(outcome.worsening["pitch.abs_error"])
    #expect(3...5 ~= worsening)
  }

  /// The fault is in the sound of every rendering and no metric shows it: half of the recordings have
  /// a figure that moves with a fault of theirs, and it did not move. Drawing until it moves would
  /// count only what is seen.
  @Test func aFaultThatNoFigureShowsIsMissed() throws {
    let (bench, _) = Self.tried(worse: 0)
    var measured = Self.randomDefect
    for one in bench where measured.concerns(one.recording) {
      measured.renderingsOf[one.recording.id] = .init(
        cells: Dictionary(uniqueKeysWithValues: measured.variants.map { ($0, one.right) }))
    }
    // One of two renderings of one recording shows it: a draw has the recording in four of five trials
    // and this rendering in half of those.
    for voice in 0..<2 {
      measured.renderingsOf["r7"]?.cells[.init(place: .voice(voice), rendering: 1)] =
        Self.cell("r7", [90, 90])
    }
    let outcome = try Self.outcome(measured, on: bench, trials: 200)
    // 80 of 200, within four standard deviations of 6.9.
    #expect(52...108 ~= outcome.detected)
  }

  /// A cell that can't be measured detects a defect whose samples are no numbers, and nothing else.
  @Test(arguments: [(Damage.Kind.detuned, 0), (.notANumber, 5)])
  func aFailedCellDetectsOnlyWhatFailsCells(kind: Damage.Kind, found: Int) throws {
    var (bench, measured) = Self.tried(worse: 3)
    let renderings = measured.renderingsOf
    measured = MeasuredDefect(
      Defect(
        "toy", "", Damage(kind: kind), seenBy: ["pitch.abs_error"], measuring: ["pitch"],
        requiredPower: 0.99),
      voiceCount: 2, renderings: 1)
    measured.renderingsOf = renderings
    for recording in measured.renderingsOf.keys {
      let cells = measured.renderingsOf[recording]!.cells
      measured.renderingsOf[recording]!.cells[.init(place: .all, rendering: 0)] =
        cells[.init(place: .voice(0), rendering: 0)]
    }
    let address = bench[0].right.address
    var result = CellResult(
      key: "", recording: "r0", kind: "sung", condition: "clean",
      score: Score(id: "chord", intervalsSemitones: [-5, 4]), subject: "toy", settings: [:],
      sampleRateHz: 48_000, outcome: .failed("gave nan at sample 7"))
    let failed = ComparedCell(result)
    result.outcome = .measured(Measurements([:]))
    #expect(failed.failure != nil && failed.address == address)
    for place in [Damage.Place.all, .voice(0), .voice(1)] {
      measured.renderingsOf["r0"]!.cells[.init(place: place, rendering: 0)] =
        bench[0].right.replaced(by: failed)
    }
    var settings = Selftest.Settings()
    (settings.trials, settings.drawnShare) = (5, 1)
    let outcome = try DefectTrials.run(measured, on: bench, labels: Self.labels, settings)
    #expect(outcome.detected == found && outcome.failure == "gave nan at sample 7")
    #expect(Selftest.Row(measured.defect, outcome).isGood == (found == 5))
    bench.removeAll()
  }

  /// A draw has sixteen of twenty voices, each once, and always the probe; draws differ.
  @Test func drawsAreFourFifthsAndEveryProbe() {
    let (bench, _) = Self.tried(worse: 0)
    var draws: Set<[Int]> = []
    for seed in 0..<50 {
      var random = SeededGenerator(seed: UInt64(seed))
      let drawn = DefectTrials.draw(bench, 0.8, &random)
      #expect(drawn.count == 17 && Set(drawn).count == 17 && drawn.contains(20))
      draws.insert(drawn)
    }
    // There are 4845 choices, so fifty draws hardly ever agree.
    #expect(draws.count > 40)
  }

  /// Figures that were not measured again are kept and judged together with the others.
  @Test func figuresNotMeasuredAgainAreKept() {
    let right = Self.cell("r", [4, 5])
    let other = ComparedCell(
      right.address, figures: [.init("pitch.abs_error", voice: "+4"): .value(9)])
    let merged = right.replaced(by: other).figures
    #expect(merged[.init("pitch.abs_error", voice: "-5")] == .value(4))
    #expect(merged[.init("pitch.abs_error", voice: "+4")] == .value(9))
  }

  @Test func theSameAgainRaisesNoAlarm() throws {
    let (bench, _) = Self.tried(worse: 0)
    let found = try #require(try NullTrials.again(bench))
    #expect(found.isGood && found.differing == 0 && found.figures == 2)
  }

  /// A second measurement that fails or differs is an alarm.
  @Test func aDifferentSecondMeasurementIsAnAlarm() throws {
    var (bench, _) = Self.tried(worse: 0)
    for index in bench.indices {
      bench[index].again = Self.cell(bench[index].recording.id, [90, 5 - 0.1 * Double(index)])
    }
    let worse = try #require(try NullTrials.again(bench))
    #expect(!worse.isGood && worse.regressions == ["pitch.abs_error": 1] && worse.differing == 1)
    let failed = CellResult(
      key: "", recording: "r0", kind: "sung", condition: "clean",
      score: Score(id: "chord", intervalsSemitones: [-5, 4]), subject: "toy", settings: [:],
      sampleRateHz: 48_000, outcome: .failed("gave nan at sample 7"))
    (bench, _) = Self.tried(worse: 0)
    bench[0].again = bench[0].right.replaced(by: ComparedCell(failed))
    let broken = try #require(try NullTrials.again(bench))
    #expect(!broken.isGood && broken.regressions.isEmpty)
  }

  /// One alarm in fifty comparisons is allowed, and findings must reach the required share.
  @Test func limitsAreExactToOneTrial() {
    func nullTrials(_ alarms: Int, of count: Int) -> Bool {
      Selftest.NullTrial(
        title: "", comparisons: Proportion(alarms, of: count), regressions: [:], figures: 1,
        differing: 0
      ).isGood
    }
    #expect(nullTrials(4, of: 200) && !nullTrials(5, of: 200) && !nullTrials(1, of: 1))
    func row(_ found: Int, required: Double?) -> Bool {
      Selftest.Row(
        id: "", title: "", expected: [], requiredPower: required,
        detected: Proportion(found, of: 100),
        regressions: [:], worsening: [:]
      ).isGood
    }
    #expect(row(99, required: 0.99) && !row(98, required: 0.99) && row(0, required: nil))
    // What was required and not tried was not found.
    func untried(_ required: Double?) -> Bool {
      Selftest.Row(
        Defect("", "", Damage(kind: .stale), seenBy: [], measuring: [], requiredPower: required),
        untried: "why"
      ).isGood
    }
    #expect(!untried(0.99) && untried(nil))
  }

  /// One failed part fails the selftest.
  @Test func passingNeedsEveryPart() {
    let clicks = PlantedFault.Meter(name: "clicks", metric: "clicks.count") { _ in 0 }
    func selftest(dose: Double, found: Int, alarms: Int) -> Selftest {
      Selftest(
        settings: Selftest.Settings(), recordings: [],
        doses: [
          Dose(clicks, 1, .value(1)), Dose(clicks, 1, .value(dose)),
        ],
        defects: [
          Selftest.Row(
            id: "", title: "", expected: [], requiredPower: 1, detected: Proportion(found, of: 10),
            regressions: [:], worsening: [:])
        ],
        nullTrials: [
          Selftest.NullTrial(
            title: "", comparisons: Proportion(alarms, of: 10), regressions: [:], figures: 1,
            differing: 0)
        ], cost: nil)
    }
    #expect(selftest(dose: 1, found: 10, alarms: 0).passed)
    #expect(!selftest(dose: 2, found: 10, alarms: 0).passed)
    #expect(!selftest(dose: 1, found: 9, alarms: 0).passed)
    #expect(!selftest(dose: 1, found: 10, alarms: 1).passed)
  }

  /// Runs differ by chance alone, by twice the minimum effect: at most 2 % of 200 comparisons alarm.
  @Test func chanceRaisesHardlyAnyAlarm() throws {
    var random = SeededGenerator(seed: 8)
    let bench = (0..<20).map { index -> SelftestBench.Measured in
      let id = "r\(index)"
      let runs = (0..<8).map { _ in
        Self.cell(id, (0..<2).map { _ in 10 + 8 * (random.uniform() - 0.5) })
      }
      return .init(recording: Self.entry(id), right: runs[0], wrong: [], nondeterministic: runs)
    }
    let found = try #require(try NullTrials.nondeterministic(bench, Selftest.Settings()))
    #expect(found.comparisons.trials == 200 && found.differing == 2)
    #expect(found.comparisons.successes <= 4)
  }
}
