import Testing

@testable import Gate
@testable import Metrics

@Suite struct BudgetTests {
  /// Latencies of 12, 12.1, … 12.5 ms on six recordings; the last one is missing.
  private static let cells = GateSamples.run { recording, metric, _ in
    metric == "latency.onset" && recording == 5 ? nil : 0
  }.cells

  @Test(arguments: [
    (Budget("latency.onset", of: .mean, max: 12.25), 12.2, false),
    (Budget("latency.onset", of: .mean, max: 12.15), 12.2, true),
    (Budget("latency.onset", of: .median, max: 12.2), 12.2, false),
    (Budget("latency.onset", of: .worst, max: 12.3), 12.4, true),
    (Budget("latency.onset", of: .worst, min: 12.1), 12.0, true),
    (Budget("latency.onset", of: .worst, max: 13, min: 12.15), 12.0, true),
    (Budget("latency.onset", of: .worst, max: 12.35, min: 12.15), 12.4, true),
    (Budget("latency.onset", of: .undefined, max: 0.1), 1 / 6.0, true),
    (Budget("latency.onset", of: .undefined, max: 0.2), 1 / 6.0, false),
  ])
  func limitsHoldOrBreak(budget: Budget, value: Double, isBroken: Bool) throws {
    let found = budget.findings(in: Self.cells)
    #expect(found.count == 1)
    #expect(abs(try #require(found[0].value) - value) < 1e-9)
    #expect(found[0].isBroken == isBroken)
  }

  @Test func everyVoiceIsJudgedUnlessOneIsNamed() {
    #expect(Budget("pitch.abs_error", max: 5).findings(in: Self.cells).count == 2)
    let one = Budget("pitch.abs_error", max: 5, voice: "+4").findings(in: Self.cells)
    #expect(one.map(\.voice) == ["+4"])
  }

  /// Settings match whole words: `windowMs=2` is not `windowMs=20`.
  @Test(arguments: [("windowMs=20", false), ("windowMs=2", true), ("engine=offline", true)])
  func settingsNameTheConfigurations(settings: String, isBroken: Bool) {
    let found = Budget("latency.onset", max: 100, settings: settings).findings(in: Self.cells)
    // A budget that covers nothing is broken.
    #expect(found.map(\.isBroken) == [isBroken])
    #expect(found.contains { $0.value == nil } == isBroken)
  }

  @Test func aVoiceWithoutValuesBreaksTheBudgetButAProbeDoesNot() {
    var cells = GateSamples.run { _, _, voice in voice == "+7" ? nil : 0 }.cells
    let address = cells[0].address
    cells.append(
      ComparedCell(
        .init(
          recording: "probe", condition: "clean", score: "chord",
          configuration: address.configuration),
        figures: [.init("pitch.abs_error"): .undefined(.probe)]))
    let found = Budget("pitch.abs_error", max: 100).findings(in: cells)
    #expect(found.map(\.voice) == ["+4", "+7"] && found.map(\.isBroken) == [false, true])
    let shares = Budget("pitch.abs_error", of: .undefined, max: 0.5).findings(in: cells)
    #expect(shares.map(\.value) == [0, 1] && shares.map(\.isBroken) == [false, true])
  }

  /// A setting that sings nothing beside one that sings, in every statistic; but a mix has no stems to
  /// judge, whoever sings.
  @Test(arguments: Budget.Statistic.allCases)
  func aSettingWithoutValuesBreaksTheBudget(statistic: Budget.Statistic) {
    func cells(_ reason: Undefined) -> [ComparedCell] {
      Self.cells
        + GateSamples.run().cells.map { cell in
          var place = cell.address
          place.configuration = "windowMs=40"
          return ComparedCell(place, figures: cell.figures.mapValues { _ in .undefined(reason) })
        }
    }
    let budget = Budget("pitch.abs_error", of: statistic, max: statistic == .undefined ? 0.5 : 100)
    let silent = budget.findings(in: cells(Undefined(.silent, "nothing is heard")))
    #expect(silent.count == 4)
    #expect(silent.filter(\.isBroken).map(\.configuration) == ["windowMs=40", "windowMs=40"])
    guard statistic != .undefined else { return }
    #expect(budget.findings(in: cells(.noStems)).allSatisfy { !$0.isBroken })
  }

  /// A misspelt name is no broken promise: it is named, and the gate could not measure.
  @Test func aMistypedVoiceOrSettingIsNamed() throws {
    let run = GateSamples.run { _, _, _ in 0 }
    var gate = GateSamples.gate
    gate.budgets = [
      Budget("pitch.abs_error", max: 100, voice: "+44"),
      Budget("pitch.abs_error", max: 100, settings: "windowMs=2"),
      Budget("pitch.abs_error", max: 100, voice: "+4"),
    ]
    let result = try GateJudge(gate, baseline: try GateSamples.baseline(run), explainOptions: "")
      .result(of: run)
    #expect(result.outcome() == .notMeasured)
    #expect(result.budgets.map(\.budget.voice) == ["+4"])
    let words = result.findings.filter { $0.kind == .notComparable }.map(\.message)
    #expect(
      words == [
        "names the voice '+44', but the plan has +4, +7; correct the budget",
        "names the setting 'windowMs=2', but the plan has windowMs=20; correct the budget",
      ])
  }

  /// The voices of failed cells are not known, so the failure is named, not the budget.
  @Test func aFailedCellIsNoMistakeOfTheBudget() {
    let budget = Budget("pitch.abs_error", max: 5, voice: "+44")
    let run = GateSamples.run { _, _, _ in 0 }
    #expect(budget.mistake(in: run.cells) != nil)
    #expect(budget.mistake(in: GateSamples.failing(run, at: 0, "crashed").cells) == nil)
  }

  @Test func anUnmeasuredMetricBreaksTheBudget() {
    let found = Budget("clicks.count", max: 100).findings(in: Self.cells)
    #expect(found.count == 1 && found[0].isBroken && found[0].value == nil)
  }

  @Test func notANumberBreaksEveryLimit() {
    #expect(Budget("clicks.count", max: 1).isBroken(by: .nan))
  }

  @Test func theWorstCellIsNamed() {
    let found = Budget("latency.onset", of: .worst, max: 12.3).findings(in: Self.cells)
    #expect(found[0].recording == "r4" && found[0].cell == "0123456789abcdef4")
    let low = Budget("latency.onset", of: .mean, max: 13, min: 12.25).findings(in: Self.cells)
    #expect(low[0].isBroken && low[0].recording == "r0")
  }
}
