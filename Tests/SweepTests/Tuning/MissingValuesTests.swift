import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep
@testable import Tuning

/// A value that is missing where another setting has one never helps the setting that lacks it.
@Suite struct MissingValuesTests {
  /// Cells of settings with windows of 10, 20, … ms; `nil` is a cell that failed.
  private func cells(_ pitch: [[Double?]], latencyMs: Double = 5) -> [CellResult] {
    pitch.enumerated().flatMap { index, cents in
      cents.enumerated().map { recording, cents in
        var cell = ToyRun.cell(
          "r\(recording)", ["windowMs": .number(Double(10 * (index + 1)))],
          [
            "voice.missing": 0, "pitch.abs_error": cents ?? 0,
            "latency.onset": latencyMs, "cpu.realtime_factor": 0.01,
          ])
        if cents == nil { cell.outcome = .failed("killed by signal 11") }
        return cell
      }
    }
  }

  private func answer(
    _ cells: [CellResult], _ goal: TuneGoal = TuneGoal()
  ) throws -> TuneAnswer { try Tuner(goal, facts: []).answer(for: cells) }

  /// The first setting crashes on the hard recording and is better on the others. With twelve
  /// recordings a register may lose one, but not by a crash.
  @Test(arguments: [5, 12])
  func aSettingThatFailsWhereAnotherIsMeasuredIsNotRecommended(count: Int) throws {
    let easy = [Double?](repeating: 2, count: count - 1)
    let same = [Double?](repeating: 3, count: count - 1)
    let answer = try answer(cells([easy + [nil], same + [60]]))
    #expect(answer.window(answer.recommended) == 20)
    #expect(
      answer.points[0].losses == [
        Loss(register: "unknown", recording: "r\(count - 1)", reason: "it failed")
      ])
    #expect(answer.points[0].figures["pitch"]?.value == (count == 5 ? 60 : 2))
    #expect(answer.points.map(\.chosenShare) == [0, 1])
  }

  /// The second setting is early wherever it was measured. The delay of the other one, which stands for it on the
  /// last two recordings, breaks no budget.
  @Test func whatIsAssumedBreaksNoBudget() throws {
    var all = cells([[2, 2, 2], [2, 2, 2]], latencyMs: 50)
    for index in all.indices where all[index].settings["windowMs"] == .number(20) {
      var metrics: [String: Double] = [
        "voice.missing": 0, "pitch.abs_error": 2, "cpu.realtime_factor": 0.01,
      ]
      metrics["latency.onset"] = all[index].recording == "r0" ? 12 : nil
      all[index] = ToyRun.cell(all[index].recording, all[index].settings, metrics)
    }
    var goal = TuneGoal()
    goal.budgets[.latency] = 30
    let answer = try answer(all, goal)
    #expect(answer.points.map(\.fits) == [false, true])
    #expect(answer.window(answer.recommended) == 20)
  }

  /// Both settings lose a voice of the hard recording, so nothing keeps it; a crash is still no answer.
  @Test func aCrashIsNoAnswerWhereAllLoseAVoice() throws {
    var all = cells([[2, 2, 2, 2, nil], [9, 9, 9, 9, 9]])
    for index in all.indices where all[index].recording == "r4" && !all[index].hasFailed {
      all[index] = ToyRun.cell(
        "r4", all[index].settings,
        [
          "voice.missing": 0.2, "pitch.abs_error": 9, "latency.onset": 5,
          "cpu.realtime_factor": 0.01,
        ])
    }
    let answer = try answer(all)
    #expect(answer.window(answer.recommended) == 20 && answer.unkept == ["r4"])
  }

  /// A recording that every setting fails on can't choose.
  @Test func aRecordingThatAllSettingsFailOnDecidesNothing() throws {
    let answer = try answer(cells([[2, 2, 2, 2, nil], [3, 3, 3, 3, nil]]))
    #expect(answer.window(answer.recommended) == 10)
    #expect(answer.points.allSatisfy { $0.losses.isEmpty })
  }

  /// The pitch of one setting is undefined on the hard recording: it counts as the worst that another
  /// has there, in the figure and in its draws.
  @Test func anUndefinedValueIsTheWorstOfTheOthers() throws {
    var all = cells([[2, 2, 2, 2, 2], [3, 3, 3, 3, 3], [3, 3, 3, 3, 630]])
    for index in all.indices
    where all[index].settings["windowMs"] == .number(10) && all[index].recording == "r4" {
      all[index] = ToyRun.cell(
        "r4", all[index].settings, ["voice.missing": 0, "latency.onset": 5],
        undefined: ["pitch.abs_error": "the delay is unknown"])
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch], served: 1))
    let figure = try #require(answer.points[0].figures["pitch"])
    #expect(figure.value == 630 && figure.isAssumed && figure.recordings == 4)
    #expect(figure.measured == 2)
    #expect(
      figure.note == "not measured on r4, so ranked as the worst of the other settings")
    // An assumed value counts in the rank, and no sentence says that it was heard.
    #expect(answer.points[0].heard.isEmpty)
    #expect(
      answer.heardFirst(of: answer.points[0])
        == "nothing above its threshold, but pitch could not be measured everywhere")
    let totals = answer.points.compactMap(\.distance)
    // Four recordings of 2 or 3 cents and one of 630, six steps, or 3.
    let expected = [4 * log2(1.2) + 6, 5 * log2(1.3), 4 * log2(1.3) + 6]
    #expect(totals.count == 3 && zip(totals, expected).allSatisfy { abs($0 - $1 / 5) < 1e-12 })
    // The second is better by a step in the draws with the hard recording, all but 0.8^5. The tolerance is three
    // standard errors of 2000 draws.
    #expect(abs(answer.points[0].chosenShare! - 0.32768) < 0.032)
  }

  /// One voice of two is undefined: the voice that is left does not speak for it. The same of a
  /// condition that failed.
  @Test(arguments: [true, false])
  func voicesAndConditionsThatAreLeftDoNotSpeakForTheOthers(isOfVoice: Bool) throws {
    let room = try Condition("room(rt60S=0.5)")
    let all = [10.0, 20].flatMap { window in
      (0..<5).flatMap { recording in
        [Condition.clean, room].map { condition in
          let hasGap = window == 10 && recording == 0
          let cents = condition == .clean ? [4.0, 20] : [8, 40]
          var cell = ToyRun.cell(
            "r\(recording)", ["windowMs": .number(window)],
            voices: ["pitch.abs_error": hasGap && isOfVoice ? [cents[0]] : cents],
            condition: condition)
          if hasGap, !isOfVoice, condition == room { cell.outcome = .failed("killed") }
          return cell
        }
      }
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch]))
    // The second voice has a median of 20 and 40 cents.
    #expect(answer.points.map { $0.figures["pitch"]?.value } == [30, 30])
  }

  /// One setting has a figure of the whole sound, the other one for each voice: nothing is missing.
  @Test func aFigureOfTheWholeSoundStandsForItsVoices() throws {
    let all = (0..<5).flatMap { recording -> [CellResult] in
      var mix = ToyRun.cell("r\(recording)", ["windowMs": .number(10)], voices: [:])
      mix.outcome = .measured(Measurements(["pitch.abs_error": [.value(3, count: 100)]]))
      return [
        mix,
        ToyRun.cell(
          "r\(recording)", ["windowMs": .number(20)], voices: ["pitch.abs_error": [50, 60]]),
      ]
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch]))
    #expect(answer.points.map { $0.figures["pitch"]?.value } == [3, 60])
  }

  /// A voice that was not judged where another setting keeps it counts as lost.
  @Test func aVoiceThatWasNotJudgedIsNotKept() throws {
    let all = ToyRun.cells(ofVoicesIn: [10.0, 20]) { ms, recording in
      ["voice.missing": recording == 0 && ms == 10 ? [0] : [0, 0], "latency.onset": [ms]]
    }
    let answer = try answer(all)
    #expect(answer.window(answer.recommended) == 20)
    #expect(answer.points[0].losses.map { $0.reason } == ["it was not measured"])
  }

  /// A search with one setting that always fails and one without any pitch ranks the others in order.
  @Test func whatHasNoFigureIsLastInASearch() throws {
    let silent = ToyRun.cell("r0", ["windowMs": .number(50)], ["cpu.realtime_factor": 0.001])
    let offline = ToyRun.cell(
      "r0", ["engine": .text("offline")], ["pitch.abs_error": 0.1, "latency.onset": 0])
    let all = cells([[nil], [30], [4], [9]]) + [silent, offline]
    let tuner = try Tuner(TuneGoal(budgets: [.pitch: 12]), facts: [])
    let candidates = all.map { SettingChoice($0) }
    #expect(tuner.order(of: all, candidates) == [2, 3, 1, 4, 0, 5])
  }

  /// The first rounds of a search have no probe, so that some settings have no latency yet. That is
  /// not held against them, and not for them.
  @Test func anAxisThatFewHaveIsNotWeighedYet() throws {
    let one = ToyRun.cell(
      "r0", ["windowMs": .number(40)], ["pitch.abs_error": 20, "latency.onset": 1])
    let others = [10.0, 20, 30].map {
      ToyRun.cell("r0", ["windowMs": .number($0)], ["pitch.abs_error": 40 - $0])
    }
    let all = others + [one]
    let tuner = try Tuner(TuneGoal(axes: [.pitch, .latency], budgets: [.latency: 9]), facts: [])
    #expect(tuner.order(of: all, all.map { SettingChoice($0) }) == [2, 1, 3, 0])
  }

  /// The limit is that of the search, whose rounds may not begin it anew.
  @Test func aSearchThatRanOutOfTimeRecommendsNothing() async throws {
    let scratch = try TemporaryFolder()
    var plan = try Plan.decoded(smallPlan)
    plan.limitSeconds = 0.001
    let corpus = try scratch.corpus()
    let tuner = try Tuner(TuneGoal(axes: [.latency]), facts: corpus.facts(of: plan.recordings))
    let search = try AdaptiveSweep(
      plan, corpus: corpus, store: ResultStore(scratch.file("results.sqlite")), tuner: tuner)
    let error = try await #require(throws: UnfinishedRun.self) { try await search.run(jobs: 1) }
    #expect(error.description.hasPrefix("the limit of 0.001 s ended the run with "))
    #expect(error.description.contains("run the command again"))
  }

  /// Nothing is known of a recording on which all failed: it draws, chooses and names nothing. The settings still
  /// have the same sound.
  @Test func aRecordingOnWhichAllFailedHasNoPart() throws {
    var all = ToyRun.cells(ofVoicesIn: [0.0, 0]) { _, recording in
      ["pitch.abs_error": [5.25 + Double(recording), 3.125 + Double(recording)]]
    }
    for place in all.indices where all[place].recording == "r3" {
      all[place].outcome = .failed("no such sound")
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch]))
    #expect(answer.recordings == ["r0", "r1", "r2", "r4"] && answer.failedRecordings == ["r3"])
    #expect(answer.failedWords == "Every setting failed on r3, so nothing here is about it.")
    #expect(answer.points.map(\.sameAs) == [nil, 0] && answer.points[0].chosenShare == nil)
    #expect(answer.recommended == 0 && answer.points[0].losses.isEmpty)
  }

  /// A cell that failed under one setting alone is a difference, even from one that measured nothing.
  @Test func aFailureOfOneSettingIsADifference() throws {
    var all = ToyRun.cells(ofVoicesIn: [0.0, 0]) { _, recording in
      ["pitch.abs_error": [5.25 + Double(recording), 3.125 + Double(recording)]]
    }
    all[0].outcome = .failed("no such sound")
    all[5].outcome = .measured(Measurements(["pitch.abs_error": [.undefined(.silent, "silent")]]))
    #expect(all[5].recording == all[0].recording)
    #expect(try answer(all, TuneGoal(axes: [.pitch])).points.map(\.sameAs) == [nil, nil])
  }

  /// Two settings with the same sound; the first is slower by the noise of the processor.
  @Test func settingsWithTheSameSoundAreOneSetting() throws {
    let all = ToyRun.cells(ofVoicesIn: [(0.0, 0.03), (0, 0.02), (0.5, 0.025)]) {
      setting, recording in
      [
        "pitch.abs_error": [5.25 + Double(recording) + setting.0, 3.125 + Double(recording)],
        "cpu.realtime_factor": [setting.1],
      ]
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch, .cost]))
    #expect(answer.points.map(\.sameAs) == [nil, 0, nil])
    #expect(answer.points.map { $0.figures["cost"]?.value } == [2.5, 2.5, 2.5])
    #expect(answer.points.map(\.chosenShare) == [1, 0, 0])
    #expect(answer.window(answer.recommended) == 10)
    #expect(
      answer.equalSettings.map { $0.map { $0.settings["windowMs"] } } == [
        [.number(10), .number(20)]
      ])
  }

  /// The window of 80 ms is so late that its delay is not found on most voices. The others' worst value
  /// there would make it early.
  @Test func aMissingValueIsNoBetterThanTheSettingsOwn() throws {
    let all = [(10.0, 9.0), (80, 45)].flatMap { window, ms in
      (0..<5).map { recording in
        var values = ["pitch.abs_error": 2.0]
        if window == 10 || recording == 0 { values["latency.alignment"] = ms }
        return ToyRun.cell("r\(recording)", ["windowMs": .number(window)], values)
      }
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch, .latency]))
    #expect(answer.points.map { $0.figures["latency"]?.value } == [9, 45])
  }

  /// A program needs 0.3 s to start and then a tenth of a core. A short clip costs no more than a long
  /// one, and the other setting costs what it does.
  @Test func theStartOfAProgramIsNoCost() throws {
    let seconds = [0.8, 2, 3, 5, 8]
    let facts = seconds.indices.map {
      Tuner.Fact(id: "r\($0)", kind: "sung", voice: "v", durationSeconds: seconds[$0])
    }
    let all = ToyRun.cells(of: [0.3, 0]) { start, recording in
      ["pitch.abs_error": 2, "cpu.realtime_factor": 0.1 + start / seconds[recording]]
    }
    let answer = try Tuner(TuneGoal(axes: [.pitch, .cost]), facts: facts).answer(for: all)
    for point in answer.points {
      #expect(abs(point.figures["cost"]!.value - 10) < 1e-9)
    }
  }

  /// Both windows sound alike to within a tenth of a step: 4.0 and 4.5 cents are 0.49 and 0.54 steps.
  /// The mode changes what is heard; the program ignores the flag.
  @Test func parametersThatNobodyHearsAreNamed() throws {
    let all = [10.0, 20].flatMap { window in
      ["soft", "hard"].flatMap { mode in
        [0.0, 1].flatMap { flag in
          (0..<5).map { recording in
            let cents = (mode == "soft" ? 4 : 40) + (window == 10 ? 0 : 0.5)
            return ToyRun.cell(
              "r\(recording)",
              ["windowMs": .number(window), "mode": .text(mode), "flag": .number(flag)],
              voices: ["pitch.abs_error": [cents - Double(recording) / 8, cents - 0.3]])
          }
        }
      }
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch]))
    #expect(
      answer.unheardSettings == [
        UnheardSetting(name: "flag", isIgnored: true),
        UnheardSetting(name: "windowMs", isIgnored: false),
      ])
  }

  /// The recording that alone could tell has failed; the others have no such sound. The failure is the reason.
  @Test func aFailureIsTheReasonForAMissingAxis() throws {
    var all = (0..<4).map { recording in
      var cell = ToyRun.cell("r\(recording)", [:], [:])
      cell.outcome = .measured(
        Measurements([
          "pitch.abs_error": [.value(5, voice: 0, count: 100)],
          "consonant.lost": [.undefined(.notObservable, "no consonants")],
        ]))
      return cell
    }
    var broken = ToyRun.cell("stops", [:], [:])
    broken.outcome = .failed("killed by signal 11; and more")
    all.append(broken)
    let answer = try answer(all, TuneGoal(axes: [.pitch, .consonants]))
    #expect(answer.undefinedAxes["consonants"]?.detail == "killed by signal 11")
  }

  /// A gain is heard though it is no fault.
  @Test func aChangeOfLevelIsHeard() throws {
    let all = [-9.0, 0].flatMap { gain in
      (0..<5).map { recording in
        ToyRun.cell(
          "r\(recording)", ["gainDb": .number(gain)], ["pitch.abs_error": 5, "voice.level": gain])
      }
    }
    #expect(try answer(all, TuneGoal(axes: [.pitch])).unheardSettings.isEmpty)
  }

  /// Latency is that of the latest voice, by its own loudness where there are no impulses.
  @Test(arguments: [(32.0, 32.0), (9, 2)]) func aLateVoiceIsLatency(
    lateMs: Double, expected: Double
  ) throws {
    let all = (0..<5).map { recording in
      ToyRun.cell(
        "r\(recording)", [:],
        voices: ["pitch.abs_error": [5, 5], "latency.onset": [2], "latency.voice": [2, lateMs]])
    }
    let answer = try answer(all, TuneGoal(axes: [.pitch, .latency]))
    #expect(answer.points[0].figures["latency"]?.value == expected)
  }

  /// The second setting is better by less than a tenth of a step or by 0.4 steps, so the first is recommended, in
  /// each draw too, or by 1.6.
  @Test(arguments: [(10.0, 9.5, 10.0, [1.0, 0]), (10, 5, 10, [1, 0]), (50, 10, 20, [0, 1])])
  func aDifferenceThatNobodyHearsChoosesNothing(
    first: Double, second: Double, expected: Double, chosen: [Double?]
  ) throws {
    let answer = try answer(cells([first, second].map { Array(repeating: $0, count: 5) }))
    #expect(answer.window(answer.recommended) == expected)
    #expect(answer.points.map(\.chosenShare) == chosen)
  }

  /// A median of registers is never outside of its interval.
  @Test func anIntervalHoldsItsValue() throws {
    let ms = [-9.0, -2, -1.9, 0.8, 0.9, -8, -2.1, -1.8]
    let all = ToyRun.cells(of: [10], recordings: ms.count) { ["latency.onset": ms[$1]] }
    let facts = ms.indices.map {
      Tuner.Fact(
        id: "r\($0)", kind: "sung", voice: "alto", medianF0Hz: [100, 220, 400, 800][$0 % 4])
    }
    let answer = try Tuner(TuneGoal(axes: [.latency]), facts: facts).answer(for: all)
    let figure = try #require(answer.points[0].figures["latency"])
    #expect(try #require(figure.interval).contains(figure.value))
  }
}
