import DSP
import Foundation
import Testing

@testable import Corpus
@testable import Metrics
@testable import Sweep
@testable import Tuning

@Suite struct TunerTests {
  private func tuner(
    _ goal: TuneGoal = TuneGoal(axes: [.latency, .pitch]), facts: [Tuner.Fact] = []
  ) throws -> Tuner { try Tuner(goal, facts: facts) }

  /// Settings with windows of 10 to 40 ms. Steps by hand, log2(1 + cents / 10) + ms / 10:
  /// 2 + 0.5; 1 + 1; log2(1.5) + 2 = 2.58; log2(1.6) + 3 = 3.68, dominated by the third.
  private let cells = ToyRun.cells(
    pitch: [[30, 30, 30, 30, 30], [10, 10, 10, 10, 10], [5, 5, 5, 5, 5], [6, 6, 6, 6, 6]],
    latencyMs: [5, 10, 20, 30])

  @Test func theFirstWithinAStepIsRecommended() throws {
    let answer = try tuner().answer(for: cells)
    // The second has the lowest total, and the first of the plan is half a step behind it.
    #expect(answer.window(answer.recommended) == 10 && answer.alike == [1, 2])
    let expected = [2.5, 2, 2 + log2(1.5), 3 + log2(1.6)]
    for (point, steps) in zip(answer.points, expected) {
      #expect(abs(point.distance! - steps) < 1e-12)
    }
    #expect(answer.points.map(\.isOnFront) == [true, true, true, false])
    // All recordings agree, so every draw has the same result.
    #expect(answer.points.map(\.chosenShare) == [1, 0, 0, 0])
    #expect(answer.points.map(\.frontShare) == [1, 1, 1, 0])
    #expect(answer.points[0].figures["latency"]!.interval == 5...5)
    #expect(answer.drawsUsed == answer.draws)
  }

  @Test func budgetsExcludeSettings() throws {
    let goal = TuneGoal(axes: [.latency, .pitch], budgets: [.pitch: 8])
    let answer = try tuner(goal).answer(for: cells)
    #expect(answer.window(answer.recommended) == 30)
    #expect(answer.points.map(\.fits) == [false, false, true, true])
  }

  /// No setting is within 8 ms and 8 cents. The one at 10 ms and 10 cents misses by 0.2 units each;
  /// the others miss by 2.2 and 1.2.
  @Test func withoutAFitThereIsANearestMiss() throws {
    let goal = TuneGoal(axes: [.latency, .pitch], budgets: [.pitch: 8, .latency: 8])
    let answer = try tuner(goal).answer(for: cells)
    #expect(answer.recommended == nil)
    #expect(answer.window(answer.nearestMiss) == 20)
    #expect(answer.misses == ["pitch": 2, "latency": 2])
    #expect(answer.points.allSatisfy { $0.chosenShare == 0 })
  }

  /// One cent is worth 10 ms here, so 10 cents at 10 ms miss by 2 units and 5 cents at 20 ms by
  /// 1.2.
  @Test func missesAreInUnitsOfTheScales() throws {
    let goal = TuneGoal(
      axes: [.latency, .pitch], budgets: [.pitch: 8, .latency: 8], scales: [.pitch: 1])
    let answer = try tuner(goal).answer(for: cells)
    #expect(answer.window(answer.nearestMiss) == 30)
  }

  /// A is perfect on three of five recordings and 630 cents off, six steps, on two; B is always 15 cents off,
  /// log2(2.5) steps. Of a draw's five each of the two adds 1.2 steps, so A is better in draws with one of them,
  /// 0.33696 for a binomial of 0.4, and worse by more than a step with two.
  @Test func chosenSharesFollowTheBinomial() throws {
    let cells = ToyRun.cells(
      pitch: [[0, 0, 0, 630, 630], [15, 15, 15, 15, 15]], latencyMs: [5, 5])
    let answer = try tuner(TuneGoal(axes: [.pitch])).answer(for: cells)
    // The tolerance is three standard errors of 2000 draws.
    #expect(abs(answer.points[0].chosenShare! - 0.33696) < 0.031)
    #expect(abs(answer.points[0].frontShare! - 0.33696) < 0.031)
    #expect(abs(answer.points[1].chosenShare! - 0.66304) < 0.031)
  }

  /// A fault of 10 cents is one step, and one of 30 is two: a default changes from one step on.
  @Test(arguments: [(29.0, 0), (30, 1)]) func aDefaultChangesForAStep(cents: Double, best: Int)
    throws
  {
    let cells = ToyRun.cells(
      pitch: [cents, 10].map { Array(repeating: $0, count: 5) }, latencyMs: [5, 5])
    let answer = try tuner(TuneGoal(axes: [.pitch])).answer(for: cells)
    #expect(answer.recommended == best && answer.alike == (best == 0 ? [1] : []))
  }

  /// One recording of five that is 60 cents off moves the mean by half a step: the recordings do not tell the first
  /// from the second. Where all are, they do.
  @Test(arguments: [(1, 0), (5, 1)]) func oneRecordingDecidesNothing(off: Int, best: Int) throws {
    let first = (0..<5).map { $0 < off ? 60.0 : 2 }
    let answer = try tuner(TuneGoal(axes: [.pitch])).answer(
      for: ToyRun.cells(pitch: [first, [2, 2, 2, 2, 2]], latencyMs: [5, 5]))
    #expect(answer.recommended == best)
    #expect(answer.points[0].figures["pitch"]?.value == 60)
  }

  /// Twelve steps of faults that both have hide no difference that all recordings show. One of the same mean that
  /// turns round on two of five recordings may turn round on others: 1.2 steps, and by Student's t 2.5.
  @Test(arguments: [([1.2, 1.2, 1.2, 1.2, 1.2], 1), ([4, 4, -1, -1, 0], 0)])
  func differencesOfEachRecordingTellSettingsApart(steps: [Double], best: Int) throws {
    let cents = [steps, [0, 0, 0, 0, 0]].map { $0.map { 10 * (exp2(12 + $0) - 1) } }
    let answer = try tuner().answer(for: ToyRun.cells(pitch: cents, latencyMs: [200, 200]))
    #expect(answer.recommended == best)
  }

  @Test func undefinedFiguresHaveReasonsAndAreNeverChosen() throws {
    var cells = cells
    for index in cells.indices where cells[index].settings["windowMs"] == .number(20) {
      cells[index].outcome = .measured(
        Measurements([
          "pitch.abs_error": [.undefined(.silent, "no voice is heard")],
          "latency.onset": [.value(0, count: 1)],
        ]))
    }
    let answer = try tuner(TuneGoal(axes: [.latency, .pitch, .intelligibility])).answer(for: cells)
    #expect(answer.points[1].undefined == ["pitch": Undefined(.silent, "no voice is heard")])
    #expect(answer.points[1].figures["pitch"] == nil && answer.points[1].distance == nil)
    #expect(!answer.points[1].isOnFront && answer.window(answer.recommended) == 10)
    #expect(answer.undefinedAxes.keys.sorted() == ["intelligibility"])
  }

  /// A search heard one setting on the tenor alone and the other on all.
  @Test func registersThatWereNotHeardAreNamed() throws {
    let facts = [("b", 90.0), ("t", 180), ("s", 800)].map {
      Tuner.Fact(id: $0.0, kind: "sung", voice: $0.0, medianF0Hz: $0.1)
    }
    let cells =
      ["b", "t", "s"].map { ToyRun.cell($0, ["windowMs": .number(10)], ["a": 1]) }
      + [ToyRun.cell("t", ["windowMs": .number(20)], ["a": 1])]
    let tuner = try Tuner(TuneGoal(), facts: facts)
    func unheard(_ window: Double) -> [String] {
      tuner.unheardRegisters(
        of: SettingChoice(subject: "reference", settings: ["windowMs": .number(window)]), in: cells)
    }
    #expect(unheard(10).isEmpty && unheard(20) == ["low", "top"])
  }

  @Test func fewRecordingsHaveNoIntervalButANote() throws {
    let answer = try tuner().answer(for: cells.filter { $0.recording < "r3" })
    let figure = try #require(answer.points[1].figures["latency"])
    #expect(figure.value == 10 && figure.interval == nil && figure.note!.contains("3 of 5"))
    #expect(answer.points[1].chosenShare == nil && answer.recommended != nil)
  }

  /// The latency of impulses applies to every voice: it counts, without an interval.
  @Test func aLatencyMeasuredOnAProbeAppliesToAll() throws {
    let voices = ToyRun.cells(of: [10, 20]) { _, _ in ["pitch.abs_error": 7] }
    let probes = [10.0, 20].map { window in
      ToyRun.cell(
        "probe", ["windowMs": .number(window)], ["latency.impulse": window / 2], kind: "probe")
    }
    let answer = try tuner().answer(for: voices + probes)
    #expect(answer.recordings.count == 5)
    #expect(answer.points.map { $0.figures["latency"]!.value } == [5, 10])
    #expect(answer.points[0].figures["latency"]!.interval == nil)
    #expect(answer.points.map(\.chosenShare) == [1, 0])
  }

  /// The latency is that of voices, where they have one: SoX reads whole files, so its voices are on time,
  /// and its impulses 165 ms late.
  @Test(arguments: [165.0, 3]) func voicesHaveTheLatencyAndImpulsesStandBeside(ms: Double) throws {
    let cells = (0..<5).map { recording in
      ToyRun.cell("r\(recording)", [:], ["pitch.abs_error": 7, "latency.alignment": -7])
    }
    let probe = ToyRun.cell("probe", [:], ["latency.impulse": ms], kind: "probe")
    let answer = try tuner().answer(for: cells + [probe])
    #expect(answer.points[0].figures["latency"]?.value == -7)
    #expect(answer.points[0].impulseLatencyMs == ms)
  }

  /// Low voices need the long window and high ones the short; each group has its own answer.
  @Test func voicesAndRegistersHaveTheirOwnAnswers() throws {
    let facts = (0..<6).map { index in
      Tuner.Fact(
        id: "r\(index)", kind: "sung", voice: index < 3 ? "bass" : "soprano",
        medianF0Hz: index < 3 ? 100 : 700)
    }
    let cells = ToyRun.cells(
      pitch: [[30, 30, 30, 2, 2, 2], [4, 4, 4, 40, 40, 40]], latencyMs: [5, 10])
    let answer = try tuner(facts: facts).answer(for: cells)
    let chosen = answer.groups.map { ("\($0.by) \($0.name)", answer.window($0.chosen)) }
    #expect(
      chosen.map(\.0) == [
        "register low", "register top", "voice bass", "voice soprano", "kind sung",
      ])
    #expect(chosen[0].1 == 20 && chosen[1].1 == 10 && chosen[2].1 == 20 && chosen[3].1 == 10)
  }

  /// Both settings are in tune; the formants of the first are unknown.
  @Test func faultsThatCouldNotBeMeasuredAreNamed() throws {
    let cells = (0..<5).flatMap { recording in
      [
        ToyRun.cell(
          "r\(recording)", ["windowMs": .number(10)], ["pitch.abs_error": 2],
          undefined: ["formant.ratio": "no formants were found"]),
        ToyRun.cell(
          "r\(recording)", ["windowMs": .number(20)],
          ["pitch.abs_error": 2, "formant.ratio": 1]),
      ]
    }
    let answer = try tuner(TuneGoal(axes: [.pitch, .formants])).answer(for: cells)
    #expect(
      answer.points.map { answer.heardFirst(of: $0, orElse: "nothing") }
        == ["nothing, but formants could not be measured", "nothing"])
  }

  @Test func worstCasesHaveAnswers() throws {
    #expect(try tuner().answer(for: []).best == nil)
    var failed = cells
    for index in failed.indices { failed[index].outcome = .failed("it crashed") }
    let answer = try tuner().answer(for: failed)
    #expect(answer.best == nil && answer.undefinedAxes["pitch"]?.detail == "it crashed")
    #expect(throws: SettingsError.self) {
      _ = try tuner(TuneGoal(axes: [.pitch], budgets: [.pitch: -1]))
    }
  }
}
