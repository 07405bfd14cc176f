import Platform
import Testing

@testable import Gate

@Suite struct GateJudgeTests {
  /// The codes that docs/reference/gate.md promises.
  @Test(arguments: [
    (GateResult.Outcome.pass, Int32(0)), (.regression, 1), (.notMeasured, 2), (.inconclusive, 3),
  ])
  func outcomesHaveExitCodes(outcome: GateResult.Outcome, code: Int32) {
    #expect(outcome.exitCode == code)
  }

  @Test func anIdenticalRunPasses() throws {
    let result = try GateSamples.result(of: GateSamples.run())
    #expect(result.outcome(strict: true) == .pass)
    #expect(result.findings.isEmpty && result.comparison?.differences.count == 3)
    #expect(result.measuredCells == 6 && result.expectedCells == 6)
  }

  @Test func threeCentsOnOneVoiceAreARegressionWithACommand() throws {
    let run = GateSamples.run { _, metric, voice in
      metric == "pitch.abs_error" && voice == "+7" ? 3 : 0
    }
    let result = try GateSamples.result(of: run)
    #expect(result.outcome(strict: false) == .regression)
    let finding = try #require(result.findings.first)
    #expect(result.findings.count == 1 && finding.kind == .regression)
    #expect(finding.subject == "pitch.abs_error · +7 · chord · windowMs=20")
    #expect(
      finding.command?.hasPrefix("choir-eval explain 0123456789ab pitch.abs_error --run") == true)
  }

  @Test func missingCellsAreNamedAndNoPass() throws {
    let result = try GateSamples.result(of: GateSamples.run(recordings: 5))
    #expect(result.outcome(strict: false) == .notMeasured)
    #expect(result.findings.map(\.kind) == [.missingCell])
    #expect(result.findings[0].subject.hasPrefix("r5 · chord"))
  }

  @Test func fewerCellsThanTheGateAsksForAreNoPass() throws {
    var gate = GateSamples.gate
    gate.cells = 7
    #expect(
      try GateSamples.result(of: GateSamples.run(), gate).outcome(strict: false) == .notMeasured)
  }

  @Test func aFailedCellIsNoPass() throws {
    let run = GateSamples.failing(GateSamples.run(), at: 2, "crashed (SIGSEGV)")
    let result = try GateSamples.result(of: run)
    #expect(result.outcome(strict: false) == .notMeasured && result.measuredCells == 5)
    #expect(result.findings.first?.message == "crashed (SIGSEGV)")
  }

  /// A crash proves no regression, also where a budget has no value because of it.
  @Test func aBudgetWithoutValuesOfFailedCellsIsNotMeasured() throws {
    var gate = GateSamples.gate
    gate.budgets = [Budget("voice.missing", of: .mean, max: 0.1)]
    var run = GateSamples.run()
    #expect(try GateSamples.result(of: run, gate).outcome() == .regression)
    for index in run.cells.indices { run = GateSamples.failing(run, at: index, "timed out") }
    let result = try GateSamples.result(of: run, gate)
    #expect(result.outcome() == .notMeasured)
    #expect(result.findings.contains { $0.kind == .notComparable && $0.metric == "voice.missing" })
  }

  @Test func aRunThatFailedAltogetherIsNoPass() throws {
    var run = GateSamples.run()
    for index in run.cells.indices { run = GateSamples.failing(run, at: index, "timed out") }
    #expect(try GateSamples.result(of: run).outcome(strict: false) == .notMeasured)
    run.cells = []
    #expect(throws: Refusal.noCells(plan: "smoke")) { try GateSamples.result(of: run) }
  }

  @Test func aRegressionTakesPrecedenceOverMissingData() throws {
    let worse = GateSamples.run { _, metric, _ in metric == "latency.onset" ? 9 : 0 }
    let result = try GateSamples.result(of: GateSamples.failing(worse, at: 0, "hung"))
    #expect(result.outcome(strict: false) == .regression)
    // What crashed is shown first.
    #expect(result.findings.map(\.kind) == [.failedCell, .regression])
  }

  @Test func anotherVersionOfAMetricIsNotComparable() throws {
    var baseline = try GateSamples.baseline()
    for key in baseline.rows.keys where key.figure.metric == "latency.onset" {
      baseline.rows[key]?.version -= 1
    }
    let result = try GateSamples.result(of: GateSamples.run(), baseline: baseline)
    #expect(result.outcome(strict: false) == .notMeasured)
    #expect(result.findings.map(\.kind) == [.notComparable])
    #expect(result.findings[0].metric == "latency.onset")
    #expect(result.findings[0].message.contains("choir-eval accept gates/smoke.yaml --reason"))
    #expect(result.comparison?.differences.contains { $0.metric == "latency.onset" } == false)
  }

  @Test func anotherRecordingWithTheSameIDIsNotComparable() throws {
    let result = try GateSamples.result(of: GateSamples.run(digest: "other"))
    #expect(result.outcome(strict: false) == .notMeasured)
    #expect(result.findings.map(\.subject) == ["recording r0"])
    #expect(result.comparison?.differences.first?.recordings == 5)
  }

  /// Clicks became fewer in five recordings and more in one, which the mean hides. Any change may be one.
  @Test func oneClickMoreIsSuspiciousAlthoughTheMeanImproved() throws {
    let baseline = try GateSamples.baseline(GateSamples.run(figures: ["clicks.count": 5]))
    let judge = GateJudge(GateSamples.gate, baseline: baseline, explainOptions: "")
    func clicks(_ change: Double) -> MeasuredRun {
      GateSamples.run(figures: ["clicks.count": 5]) { recording, _, _ in
        recording == 0 ? change : -3
      }
    }
    #expect(try judge.isSuspicious(clicks(2)))
    #expect(
      try !judge.isSuspicious(GateSamples.run(figures: ["clicks.count": 5]) { _, _, _ in 0 }))
  }

  @Test func otherRecordingsThroughoutAreRefusedWithAWayOut() throws {
    let baseline = try GateSamples.baseline(GateSamples.run(recordings: 1))
    let error = try #require(throws: Refusal.self) {
      try GateSamples.result(
        of: GateSamples.run(recordings: 1, digest: "other"), baseline: baseline)
    }
    #expect("\(error)".contains("accept it: choir-eval accept gates/smoke.yaml --reason"))
  }

  @Test func anUnmeasuredMetricIsNotComparable() throws {
    let result = try GateSamples.result(of: GateSamples.run(figures: ["pitch.abs_error": 5]))
    #expect(result.outcome(strict: false) == .notMeasured)
    #expect(result.findings.map(\.metric) == ["latency.onset"])
  }

  /// A run with none of the baseline's metrics has nothing that could differ.
  @Test func aRunWithoutAnyComparedMetricIsNoPass() throws {
    let run = GateSamples.run(figures: ["level.change": 0])
    let result = try GateSamples.result(of: run)
    #expect(result.outcome() == .notMeasured)
    #expect(
      Set(result.findings.filter { $0.kind == .notComparable }.map(\.subject))
        == ["latency.onset", "pitch.abs_error"])
  }

  @Test func newCellsAreNotComparable() throws {
    let result = try GateSamples.result(of: GateSamples.run(recordings: 7))
    #expect(result.findings.map(\.kind) == [.notComparable])
  }

  /// Half the recordings are 9 cents worse and half 4 cents better, which is inconclusive.
  @Test func inconclusiveFailsOnlyIfStrict() throws {
    let run = GateSamples.run { recording, metric, _ in
      metric == "pitch.abs_error" ? (recording % 2 == 0 ? 9 : -4) : 0
    }
    let result = try GateSamples.result(of: run)
    #expect(result.findings.allSatisfy { $0.kind == .inconclusive } && !result.findings.isEmpty)
    #expect(result.outcome(strict: false) == .pass && result.outcome(strict: true) == .inconclusive)
  }

  @Test func aNewMetricIsANote() throws {
    let run = GateSamples.run(figures: [
      "pitch.abs_error": 5, "latency.onset": 12, "pitch.bias": 1,
    ])
    let result = try GateSamples.result(of: run)
    #expect(result.outcome(strict: true) == .pass)
    #expect(result.findings.map(\.kind) == [.note])
    #expect(result.findings[0].message.contains("pitch.bias"))
  }

  /// The subject has stems in no cell for tremolo, and in one for tilt.
  @Test func whatAMixCannotShowIsNotCovered() throws {
    var run = GateSamples.run()
    run.cells = run.cells.enumerated().map { index, cell in
      var figures = cell.figures
      figures[.init("tremolo.depth", voice: nil)] = .undefined(.noStems)
      figures[.init("timbre.tilt_change", voice: nil)] =
        index == 0 ? .value(1) : .undefined(.noStems)
      return ComparedCell(cell.address, figures: figures, key: cell.key)
    }
    let result = try GateSamples.result(of: run, baseline: try GateSamples.baseline(run))
    #expect(result.outcome(strict: true) == .pass)
    let notes = result.findings.filter { $0.subject == "not covered" }
    #expect(notes.map(\.message) == ["windowMs=20 gives a mix only; tremolo.depth needs stems"])
    #expect(notes.map(\.kind) == [.note])
  }

  @Test func aBrokenBudgetFailsAnUnchangedRun() throws {
    var gate = GateSamples.gate
    gate.budgets = [Budget("latency.onset", max: 12), Budget("pitch.abs_error", max: 100)]
    let result = try GateSamples.result(of: GateSamples.run(), gate)
    #expect(result.outcome(strict: false) == .regression)
    #expect(result.findings.map(\.kind) == [.brokenBudget])
    #expect(result.findings[0].message.contains("mean latency.onset at most 12 ms: measured 12.25"))
  }
}
