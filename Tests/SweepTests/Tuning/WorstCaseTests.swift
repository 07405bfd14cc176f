import Foundation
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep
@testable import Tuning

/// Tables made by hand in which the right recommendation is evident.
@Suite struct WorstCaseTests {
  /// Five singers, the first a bass.
  private let facts = (0..<5).map { index in
    Tuner.Fact(
      id: "r\(index)", kind: "sung", voice: index == 0 ? "bass" : "soprano",
      medianF0Hz: index == 0 ? 100 : 700)
  }

  /// Cells of settings with windows of 10, 20, … ms, five recordings each.
  private func cells(
    _ settings: [(latencyMs: Double, metrics: [String: [Double]])]
  ) -> [CellResult] {
    ToyRun.cells(of: settings) { setting, recording in
      setting.metrics.mapValues { $0[recording] }
        .merging(["latency.onset": setting.latencyMs]) { $1 }
    }
  }

  private func answer(
    _ cells: [CellResult], _ goal: TuneGoal = TuneGoal()
  ) throws -> TuneAnswer { try Tuner(goal, facts: facts).answer(for: cells) }

  /// The short window is better in every median, but it loses the bass.
  @Test(arguments: ["voice.missing", "pitch.gross_errors"])
  func aSettingThatLosesABassIsNotRecommended(metric: String) throws {
    let other = metric == "voice.missing" ? "pitch.gross_errors" : "voice.missing"
    let zeros = [0.0, 0, 0, 0, 0]
    let answer = try answer(
      cells([
        (5, [metric: [0.15, 0, 0, 0, 0], other: zeros, "pitch.abs_error": [2, 2, 2, 2, 2]]),
        (40, [metric: zeros, other: zeros, "pitch.abs_error": [7, 7, 7, 7, 7]]),
      ]))
    #expect(answer.window(answer.recommended) == 20)
    let loss = Loss(register: "low", recording: "r0", voice: "+4", percent: 15)
    #expect(answer.points.map(\.losses) == [[loss], []])
    // The bass is in every draw.
    #expect(answer.points.map(\.chosenShare) == [0, 1])
    let words = metric == "voice.missing" ? "is missing in 15 %" : "is on a wrong note in 15 %"
    #expect(
      answer.points[0].heard.first?.sentence == "voice +4 \(words) of the frames (r0, low voices)")
    #expect(answer.points[1].heard.isEmpty)
  }

  /// The short window is in tune, but plays the bass 25 dB softer than the long one: nobody hears it in a choir. By
  /// 15 dB it is a matter of the mix.
  @Test(arguments: [(-25.0, 20.0), (-15, 10)])
  func aVoiceThatNobodyHearsIsLost(levelDb: Double, wanted: Double) throws {
    let zeros = [0.0, 0, 0, 0, 0]
    let answer = try answer(
      cells([
        (5, ["voice.missing": zeros, "voice.level": [levelDb, 0, 0, 0, 0]]),
        (40, ["voice.missing": zeros, "voice.level": zeros]),
      ]))
    #expect(answer.window(answer.recommended) == wanted)
    // No other metrics are read from a store.
    #expect(TuneGoal().metrics.contains("voice.level"))
    let losses = answer.points[0].losses.map(\.words)
    #expect(
      losses
        == (wanted == 20 ? ["voice +4, 25 dB softer than with another setting on r0"] : []))
  }

  /// Neither setting serves both registers, so neither is recommended for all. The one bass alone names
  /// no setting for all of them.
  @Test func twoRegistersThatNeedTwoSettings() throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [0.1, 0, 0, 0, 0]]), (10, ["voice.missing": [0, 0, 0.02, 0, 0]]),
      ]))
    #expect(answer.recommended == nil && answer.nearestMiss != nil && answer.misses.isEmpty)
    #expect(answer.points.map { $0.losses.map(\.register) } == [["low"], ["top"]])
    let registers = answer.groups.filter { $0.by == "register" }
    #expect(registers.map { answer.window($0.chosen) } == [nil, 10])
    #expect(registers[0].note == "one recording can't choose; add others of its kind")
    #expect(registers.allSatisfy { $0.losses.isEmpty })
  }

  /// Each setting loses a soprano that the other keeps. The second is half a step better, which no listener notices:
  /// the first of the plan is the nearest.
  @Test func theNearestIsTheFirstThatIsNotToldApart() throws {
    let answer = try answer(
      cells([
        (10, ["voice.missing": [0, 0.02, 0, 0, 0]]), (5, ["voice.missing": [0, 0, 0.02, 0, 0]]),
      ]))
    #expect(answer.recommended == nil && answer.nearestMiss == 0 && answer.alike == [1])
  }

  /// The share of 1.4 % of 2000 frames is beyond the limit by less than the judge errs, 1.6 % by more.
  @Test(arguments: [(0.009, 10.0), (0.014, 10), (0.016, 20)])
  func theLimitIsOnePercent(share: Double, expected: Double) throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [share, 0, 0, 0, 0]]), (30, ["voice.missing": [0, 0, 0, 0, 0]]),
      ]))
    #expect(answer.window(answer.recommended) == expected)
  }

  /// One gap of 35 ms is 3.5 % of the frames of a second of speech; 1 %, which may be lost, is 2 frames.
  @Test(arguments: [(7, 10.0), (11, 10), (12, 20)])
  func aLossOfLessThanFiftyMillisecondsTellsNothing(frames: Int, expected: Double) throws {
    let settings = [(Double(frames) / 200, 5.0), (0, 80)]
    let cells = ToyRun.cells(ofVoicesIn: settings, recordings: 1, count: 200) { setting, _ in
      ["voice.missing": [setting.0, 0], "latency.onset": [setting.1]]
    }
    let answer = try answer(cells)
    #expect(answer.window(answer.recommended) == expected)
  }

  /// Nothing reads the formants of the soprano. The setting that moves them elsewhere moves hers too.
  @Test func aFaultThatCantBeReadInARegisterIsAsLargeAsElsewhere() throws {
    let cells = ToyRun.cells(of: [(1.5, 6.0), (1, 8)]) { setting, recording in
      var values = ["latency.onset": setting.1]
      if recording == 0 { values["formant.ratio"] = setting.0 }
      return values
    }
    let answer = try answer(cells)
    let top = try #require(answer.groups.first { $0.name == "top" })
    #expect(answer.window(top.chosen) == 20)
    #expect(top.note == "undefined here, so of other recordings: formants")
    #expect(top.figures["formants"]?.value == 0)
  }

  /// An auto-tuner sings the lead's own notes. It is not compared with harmonizers.
  @Test func onlySettingsWithTheSameTaskAreCompared() throws {
    let choirs = cells([
      (5, ["pitch.abs_error": [4, 4, 4, 4, 4]]), (9, ["pitch.abs_error": [2, 2, 2, 2, 2]]),
    ])
    let tuner = (0..<5).map { recording in
      var cell = ToyRun.cell(
        "r\(recording)", [:], ["pitch.abs_error": 0.1, "latency.onset": 1], subject: "autotuner")
      cell.score = Score(id: "semitones", intervalsSemitones: [0])
      return cell
    }
    let answer = try answer(tuner + choirs)
    #expect(answer.points.map(\.subject) == ["reference", "reference"])
    #expect(
      answer.leftOut == [
        .init(subject: "autotuner", settings: [:], reason: "sings semitones, the others third")
      ])
  }

  /// One setting was tried in a room and with a harder score too; what it does there is not held against
  /// it.
  @Test func conditionsThatOnlyOneSettingHeardDoNotCount() throws {
    func cell(_ window: Double, _ cents: Double, _ condition: Condition = .clean) -> CellResult {
      ToyRun.cell(
        "r0", ["windowMs": .number(window)],
        voices: ["pitch.abs_error": [cents], "latency.onset": [5]], condition: condition)
    }
    var hard = cell(10, 900)
    hard.score = Score(id: "hard", intervalsSemitones: [4, -5])
    let room = try Condition("room(rt60S=0.5)")
    let answer = try answer([cell(10, 2), cell(10, 60, room), hard, cell(20, 9)])
    #expect(answer.points.map { $0.figures["pitch"]?.value } == [2, 9])
    #expect(answer.window(answer.recommended) == 10)
  }

  /// A metric that has no value for one setting only does not exclude it.
  @Test func aSettingWithoutAFigureInARegisterIsCompared() throws {
    let cells = ToyRun.cells(of: [(6.0, 60.0), (8, 2)]) { setting, recording in
      var values = ["latency.onset": setting.0, "pitch.abs_error": setting.1]
      if setting.0 == 6 || recording == 0 { values["tremolo.depth"] = 0 }
      return values
    }
    let answer = try answer(cells)
    let top = try #require(answer.groups.first { $0.name == "top" })
    #expect(answer.window(top.chosen) == 20)
    #expect(
      top.note == "not measured here, so ranked as the worst of the other settings: tremolo")
  }

  /// A singer with vibrato is out of tune by 8 cents where her contour is 2 ms late.
  @Test func aLagIsNoPitchError() throws {
    let cells = ToyRun.cells(of: [(8.0, 0.5), (5, 5)]) { error, _ in
      ["pitch.abs_error": error.0, "pitch.residual": error.1]
    }
    let answer = try answer(cells)
    #expect(answer.window(answer.recommended) == 10)
    #expect(answer.axes.map(\.metric) == ["pitch.residual"])
  }

  /// The offline engine is the best and its files have no delay, but nobody can sing through it.
  @Test func anOfflineEngineIsNotRecommendedWhereLatencyCounts() throws {
    func cells(_ engines: [String]) -> [CellResult] {
      engines.flatMap { engine in
        (0..<5).map { recording in
          ToyRun.cell(
            "r\(recording)", ["engine": .text(engine)],
            [
              "pitch.abs_error": engine == "offline" ? 1 : 19,
              "latency.onset": engine == "offline" ? 0 : 8,
            ])
        }
      }
    }
    func engine(_ answer: TuneAnswer) -> SettingValue? {
      answer.recommended.flatMap { answer.points[$0].settings["engine"] }
    }
    let both = try answer(cells(["psola", "offline"]))
    #expect(engine(both) == .text("psola"))
    let offline = try #require(both.points.first { $0.settings["engine"] == .text("offline") })
    #expect(
      offline.figures["latency"] == nil && offline.undefined["latency"]?.code == .notObservable)
    #expect(
      !both.groups.contains { $0.chosen.map { both.points[$0] }?.settings == offline.settings })
    let quality = try answer(cells(["psola", "offline"]), TuneGoal(axes: [.pitch]))
    #expect(engine(quality) == .text("offline"))
    // Among offline engines alone the delay of their files can be weighed.
    #expect(engine(try answer(cells(["offline"]))) == .text("offline"))
  }

  /// The limit can't choose on a recording that every setting loses; the steps decide.
  @Test func aRecordingThatAllSettingsLoseDecidesNothing() throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [0.1, 0, 0, 0, 0]]), (30, ["voice.missing": [0.09, 0, 0, 0, 0]]),
      ]))
    #expect(answer.window(answer.recommended) == 10 && answer.unkept == ["r0"])
  }

  /// The setting that keeps the bass is too late, so nothing within the budget keeps it.
  @Test func onlySettingsWithinTheBudgetsCanProtect() throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [0.1, 0, 0, 0, 0]]), (30, ["voice.missing": [0, 0, 0, 0, 0]]),
      ]), TuneGoal(budgets: [.latency: 20]))
    #expect(answer.window(answer.recommended) == 10 && answer.unkept == ["r0"])
  }

  /// No setting is within the budgets, so it can't be said that all of those lose a voice.
  @Test func withoutASettingInTheBudgetsNoRecordingIsUnkept() throws {
    let answer = try answer(
      cells([(30, ["voice.missing": [0, 0, 0, 0, 0]])]), TuneGoal(budgets: [.latency: 20]))
    #expect(answer.recommended == nil && answer.unkept.isEmpty)
  }

  /// A share is beyond the limit by less than 50 ms in four seconds, 800 frames, and by more in forty.
  @Test(arguments: [(800, 10.0), (8000, 20)])
  func aVoiceIsLostForLongerThanTheJudgeErrs(frames: Int, expected: Double) throws {
    let cells = ToyRun.cells(ofVoicesIn: [(5.0, 0.014), (30, 0)], count: frames) {
      ["voice.missing": [$1 == 0 ? $0.1 : 0], "latency.onset": [$0.0]]
    }
    let answer = try answer(cells)
    #expect(answer.window(answer.recommended) == expected)
  }

  /// Impulses, which have no period, come after 8 ms. The bass comes later, the sopranos earlier.
  @Test(arguments: [15.0, 10])
  func theLatencyIsThatOfTheLatestRegister(bassMs: Double) throws {
    let voices = ToyRun.cells(of: [10]) {
      ["latency.alignment": $1 == 0 ? bassMs : 7, "voice.missing": 0]
    }
    let probe = ToyRun.cell(
      "probe", ["windowMs": .number(10)], ["latency.impulse": 8], kind: "probe")
    let answer = try answer(voices + [probe], TuneGoal(budgets: [.latency: 12]))
    #expect(answer.axes.first { $0.axis == .latency }?.metric == "latency.alignment")
    #expect(answer.points[0].figures["latency"]?.value == bassMs)
    #expect(answer.points[0].impulseLatencyMs == 8)
    #expect((answer.recommended == nil) == (bassMs > 12))
  }

  /// Rooms hide voices from the judge too, so they count as steps but not for the limit.
  @Test func aVoiceLostInARoomIsNotLost() throws {
    let room = try Condition("room(rt60S=0.5)")
    func cell(_ window: Double, _ missing: Double, _ condition: Condition) -> CellResult {
      ToyRun.cell(
        "r0", ["windowMs": .number(window)],
        voices: ["voice.missing": [missing], "latency.onset": [5]], condition: condition)
    }
    let cells = [cell(10, 0, .clean), cell(20, 0, .clean), cell(10, 0.3, room), cell(20, 0, room)]
    let answer = try answer(cells)
    #expect(answer.points.allSatisfy { $0.losses.isEmpty })
    // The median of 0 and 30 % is 15 %.
    #expect(abs(answer.points[0].figures["missing"]!.value - 15) < 1e-9)
    #expect(answer.window(answer.recommended) == 20)
  }

  @Test func theWorstVoiceDecides() throws {
    let cells = ToyRun.cells(ofVoicesIn: [[2.0, 40], [9, 9]]) { cents, _ in
      ["pitch.abs_error": cents]
    }
    let answer = try answer(cells, TuneGoal(axes: [.pitch]))
    let figure = try #require(answer.points[0].figures["pitch"])
    #expect(figure.value == 40 && figure.units == 4 && figure.voice == "-5")
    #expect(answer.window(answer.recommended) == 20)
  }

  /// Nine of ten recordings are 90 %: the worst one does not count, unless all are to be served.
  @Test func aStatedShareOfTheRecordingsIsServed() throws {
    let cells = (0..<10).map { recording in
      ToyRun.cell(
        "s\(recording)", ["windowMs": .number(10)], ["pitch.abs_error": recording == 0 ? 50 : 5])
    }
    for (served, expected) in [(0.9, 5.0), (1, 50)] {
      let answer = try answer(cells, TuneGoal(axes: [.pitch], served: served))
      #expect(answer.points[0].figures["pitch"]!.value == expected)
      #expect(answer.points[0].figures["pitch"]!.typical == 5)
    }
  }

  /// A fault at its threshold is one step, three times as much two; latency is in proportion.
  @Test func aFaultGrowsByAStepWhenItDoubles() {
    let goal = TuneGoal()
    #expect(goal.steps(.pitch, 0) == 0 && goal.steps(.pitch, 10) == 1)
    #expect(goal.steps(.pitch, 30) == 2 && goal.steps(.latency, 30) == 3)
  }

  /// A wider limit lets the setting with fewer steps pass; until then it is named.
  @Test(arguments: [(1.0, 20.0), (3, 10)])
  func theSettingThatWasPassedOverIsNamed(limit: Double, expected: Double) throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [0.02, 0, 0, 0, 0]]), (60, ["voice.missing": [0, 0, 0, 0, 0]]),
      ]), TuneGoal(lostLimitPercent: limit))
    #expect(answer.window(answer.recommended) == expected)
    let losses = answer.passedOver?.losses.map(\.words)
    #expect(losses == (limit == 1 ? ["voice +4 in 2.0 % of r0"] : nil))
  }

  /// Both settings lose a voice of one recording. Alone they could not be told apart by it; but a
  /// search has dropped a setting that keeps the voice, so neither serves the register.
  @Test func aSettingThatLeftTheSearchIsAWitness() throws {
    let cells = cells([
      (5, ["voice.missing": [0.1, 0, 0, 0, 0]]), (30, ["voice.missing": [0.09, 0, 0, 0, 0]]),
    ])
    let tuner = try Tuner(TuneGoal(), facts: [])
    let alone = tuner.answer(for: cells)
    #expect(alone.recommended != nil && alone.unkept == ["r0"])
    let witness = ToyRun.cell(
      "r0", ["windowMs": .number(90)], ["voice.missing": 0, "latency.onset": 90])
    let answer = tuner.answer(
      for: cells + [witness], comparing: Set(cells.map { SettingChoice($0) }))
    #expect(answer.recommended == nil && answer.nearestMiss != nil)
  }

  /// No setting serves every register. The nearest loses a little of two registers, not a third of
  /// one.
  @Test func theNearestHasTheFewestSteps() throws {
    let answer = try answer(
      cells([
        (5, ["voice.missing": [0.02, 0, 0.02, 0, 0]]), (10, ["voice.missing": [0.3, 0, 0, 0, 0]]),
        (20, ["voice.missing": [0, 0, 0.3, 0, 0]]),
      ]))
    #expect(answer.recommended == nil && answer.window(answer.nearestMiss) == 10)
  }

  /// The setting with fewer steps was measured on no bass, so nobody knows whether it keeps him.
  @Test func aRegisterThatWasNotMeasuredIsNotServed() throws {
    let zeros = [0.0, 0, 0, 0, 0]
    let all = cells([(5, ["voice.missing": zeros]), (30, ["voice.missing": zeros])])
    let answer = try answer(
      all.filter { $0.recording != "r0" || $0.settings["windowMs"] == .number(20) })
    #expect(answer.window(answer.recommended) == 20)
    #expect(
      answer.passedOver?.losses.map(\.words) == ["low voices: on r0 it was not measured"])
    let loss = try #require(answer.passedOver?.losses.first)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(loss), as: UTF8.self)
        == #"{"reason":"it was not measured","recording":"r0","register":"low"}"#)
  }
}
