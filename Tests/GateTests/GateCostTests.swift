import DSP
import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Corpus
@testable import Gate
@testable import Metrics

/// Work of a known cost; its clock is simulated.
private final class KnownRounds: CostRounds {
  private let cost: (Int) -> Double
  private var random: SeededGenerator
  private(set) var renewals = 0

  /// - Parameter cost: seconds of the work, given the number of renewals.
  init(seed: UInt64 = 1, cost: @escaping (Int) -> Double) {
    (self.cost, random) = (cost, SeededGenerator(seed: seed))
  }

  func renew() { renewals += 1 }

  /// Returns a reading; other processes make it up to 1 % longer.
  func seconds(times: Int) -> Double {
    Double(times) * cost(renewals) * (1 + 0.01 * random.uniform())
  }
}

/// A side whose cost is the value of its setting `cost`.
private struct KnownSide: CostSide {
  var words = "the program old"
  /// Cost factor, given the number of renewals; by default 1.
  var cost: ((Int) -> Double)?

  func rounds(_ settings: SubjectSettings) throws -> any CostRounds {
    guard let own = settings["cost"]?.number else { throw CostTrialError.noTime }
    return KnownRounds { renewals in own * (cost?(renewals) ?? 1) }
  }

  func instructions(_ settings: SubjectSettings) throws -> InstructionCount {
    InstructionCount(perSecond: 1e6 * (settings["cost"]?.number ?? 0) * (cost?(0) ?? 1))
  }
}

@Suite struct GateCostTests {
  private static let settings: [SubjectSettings] = [["cost": .number(0.001)]]

  private func run(
    _ cost: GateCost = GateCost(), settings: [SubjectSettings] = settings,
    costing factor: @escaping (Int) -> Double = { _ in 1 }
  ) throws -> GateCostRun {
    try GateCostRun(
      cost, settings: settings, of: KnownSide(words: "this", cost: factor),
      command: "choir-eval probe mine --only cost", gate: "gates/smoke.yaml",
      workload: KnownRounds(seed: 2) { _ in 0.0005 })
  }

  private func found(
    _ cost: GateCost = GateCost(), against baseline: GateCostRun.Reference,
    costing factor: @escaping (Int) -> Double
  ) throws -> CostFinding {
    try #require(try run(cost, costing: factor).findings(against: baseline).first)
  }

  private let old = GateCostRun.Reference.side(
    KnownSide(), option: "--baseline old/choir-eval")

  // MARK: In turns

  /// Costs of 10 % more, 10 % less and the same; readings and thus the ratio are exact within 1 %.
  @Test(arguments: [(1.1, ComparisonVerdict.regression), (0.9, .improvement), (1, .withinNoise)])
  func aBaselineAtHandIsReadByTurns(factor: Double, verdict: ComparisonVerdict) throws {
    let found = try found(against: old) { _ in factor }
    let comparison = try #require(found.comparison)
    #expect(comparison.verdict == verdict && comparison.method == .interleaved)
    #expect(abs(comparison.ratio / factor - 1) < 0.01)
    #expect(comparison.confirmed == (verdict != .withinNoise))
    #expect((found.finding == nil) == (verdict == .withinNoise))
  }

  @Test func aRegressionIsNamedWithItsCommand() throws {
    let found = try #require(try found(against: old) { _ in 1.25 }.finding)
    #expect(found.kind == .regression && found.kind.outcome(strict: false) == .regression)
    #expect(found.subject == "cost · cost=0.001" && found.metric == "cpu.realtime_factor")
    #expect(found.message.hasPrefix("costs 1.2"), "\(found.message)")
    let words = "confirmed by a second trial), against the program old; minimum effect 5 %"
    #expect(found.message.contains(words), "\(found.message)")
    #expect(
      found.command
        == "choir-eval probe mine --only cost --set cost=0.001 --baseline old/choir-eval")
  }

  /// The work costs more in the 20 rounds of the first trial only.
  @Test func anUnconfirmedRiseIsNoRegression() throws {
    let found = try found(against: old) { $0 <= 20 ? 1.3 : 1 }
    #expect(found.comparison?.verdict == .inconclusive && found.comparison?.confirmed == false)
    #expect(found.finding?.kind.outcome(strict: false) == nil)
    #expect(found.finding?.kind.outcome(strict: true) == .inconclusive)
  }

  @Test func theMinimumIsTheGates() throws {
    var cost = GateCost()
    cost.minimumPercent = 15
    let found = try found(cost, against: old) { _ in 1.1 }
    #expect(found.comparison?.verdict == .withinNoise && found.finding == nil)
    #expect(found.command.contains("probe mine --only cost --set"))
  }

  /// A setting that can't be measured fails the gate without hiding the other one.
  @Test func aSettingThatFailsIsNoPass() throws {
    let findings = try run(settings: [["shift": .number(4)]] + Self.settings).findings(against: old)
    #expect(findings.map { $0.finding?.kind } == [.notComparable, nil])
    #expect(findings[0].finding?.message.hasPrefix("the work took no time") == true)
    let result = try GateJudge(
      GateSamples.gate, baseline: GateSamples.baseline(), explainOptions: ""
    ).result(of: GateSamples.run(), costs: findings)
    #expect(result.outcome(strict: false) == .notMeasured && result.costs == findings)
  }

  @Test func aRegressionOfCostFailsTheGate() throws {
    let worse = try found(against: old) { _ in 1.1 }
    let result = try GateJudge(
      GateSamples.gate, baseline: GateSamples.baseline(), explainOptions: ""
    ).result(of: GateSamples.run(), costs: [worse])
    #expect(result.outcome() == .regression)
    #expect(result.findings.map(\.subject) == ["cost · cost=0.001"])
  }

  // MARK: Instruction counts

  @Test func countsNeedNoSecondTrial() throws {
    var cost = GateCost()
    cost.by = .instructions
    let worse = try found(cost, against: old) { _ in 1.051 }
    #expect(worse.comparison?.verdict == .regression && worse.comparison?.ratio == 1.051)
    #expect(worse.finding?.message.contains("by instruction count") == true)
    #expect(worse.command.hasPrefix("choir-eval probe mine --only cost --cost instructions --set"))
    #expect(try found(cost, against: old) { _ in 1.049 }.finding == nil)
  }

  // MARK: Accepted costs

  /// An accepted cost of twice the workload, on this machine or another one.
  private func kept(on machine: String = MachineClass.here, version: Int = 1) throws
    -> BaselineCosts
  {
    var kept = try run().measure()
    kept.machine = machine
    for key in kept.rows.keys { kept.rows[key]?.version = version }
    return kept
  }

  @Test func acceptedCostsAreRelativeToTheWorkload() throws {
    let kept = try kept()
    #expect(kept.machine == MachineClass.here && kept.rows.count == 1)
    let row = try #require(kept.rows.first)
    #expect(row.key.description == "cost.time · cost=0.001")
    // The work takes 1 ms and the workload half of it; readings are exact within 1 %.
    #expect(abs(row.value.value / 2 - 1) < 0.01)
    #expect(row.value.interval?.contains(2) == true && row.value.count >= 20)
  }

  /// Calibration drifts by up to 8 % on one machine: 12 % is within noise, a clear excess is not.
  @Test(arguments: [
    (1.0, ComparisonVerdict.withinNoise), (1.08, .withinNoise), (1.17, .regression),
    (0.93, .withinNoise),
    (0.82, .improvement),
  ]) func aRiseBeyondTheDriftOfOneMachineCounts(factor: Double, verdict: ComparisonVerdict) throws {
    let found = try found(against: .kept(kept(), file: "smoke.tsv")) { _ in factor }
    let comparison = try #require(found.comparison)
    #expect(comparison.verdict == verdict, "\(comparison)")
    #expect(comparison.minimumEffect == 0.12 && comparison.method == .calibrated)
    // The interval includes the drift: 12 % either way, and a little for the readings.
    let half = log(comparison.interval.upperBound / comparison.interval.lowerBound) / 2
    #expect(half > log(1.12) && half < log(1.14))
    #expect(!found.isForeign && found.key != nil)
    #expect(found.command == "choir-eval probe mine --only cost --set cost=0.001")
  }

  /// Another machine may differ by an unknown factor, so only a factor above 2 counts.
  @Test(arguments: [
    (1.0, ComparisonVerdict.withinNoise), (1.3, .withinNoise), (1.9, .withinNoise),
    (0.6, .withinNoise),
    (2.2, .regression), (0.45, .improvement),
  ]) func onAnotherMachineOnlyALargeFactorIsARegression(
    factor: Double, verdict: ComparisonVerdict
  ) throws {
    let kept = try kept(on: "riscv64 Linux, Another 9000, release build")
    let found = try found(against: .kept(kept, file: "smoke.tsv")) { _ in factor }
    #expect(found.comparison?.verdict == verdict, "\(String(describing: found.comparison))")
    #expect(found.isForeign && found.against.contains("Another 9000"))
    if let finding = found.finding { #expect(finding.message.contains("another machine")) }
  }

  @Test func countsOfAnotherMachineCountFromAFactorOf2() throws {
    var cost = GateCost()
    cost.by = .instructions
    var kept = try run(cost).measure()
    let here = try found(cost, against: .kept(kept, file: "s.tsv")) { _ in 1.051 }
    #expect(here.comparison?.verdict == .regression)
    kept.machine = "riscv64"
    let there = try found(cost, against: .kept(kept, file: "s.tsv")) { _ in 1.9 }
    #expect(there.comparison?.verdict == .withinNoise && there.isForeign)
    let far = try found(cost, against: .kept(kept, file: "s.tsv")) { _ in 2.1 }
    #expect(far.comparison?.verdict == .regression)
  }

  @Test func aBaselineWithoutCostsIsNoPass() throws {
    for kept in [nil, BaselineCosts(machine: MachineClass.here, rows: [:])] {
      let found = try found(against: .kept(kept, file: "smoke.tsv")) { _ in 1 }
      #expect(found.finding?.kind == .notComparable)
      #expect(found.finding?.message.contains("choir-eval accept gates/smoke.yaml") == true)
    }
    let old = try found(against: .kept(kept(version: 0), file: "smoke.tsv")) { _ in 1 }
    #expect(old.problem?.contains("calibrated with version 0") == true)
  }

  // MARK: Acceptance

  private func accepting(
    _ factor: Double, all: Bool = false, over kept: BaselineCosts
  ) throws -> BaselineCosts {
    kept.because("first").accepting(
      try run { _ in factor }.measure(), all: all, reason: "agreed", GateCost().trial)
  }

  @Test func onlyARegressionReplacesAcceptedCosts() throws {
    let kept = try kept()
    for factor in [1, 1.05, 0.8] {
      #expect(try accepting(factor, over: kept) == kept.because("first"))
    }
    let worse = try accepting(1.3, over: kept)
    #expect(worse.rows.values.allSatisfy { $0.reason == "agreed" && $0.value > 2.5 })
    // With `all`, improvements and another machine's costs are accepted too, but no noise.
    #expect(try accepting(1.02, all: true, over: kept) == kept.because("first"))
    #expect(try accepting(0.8, all: true, over: kept).rows.values.first?.reason == "agreed")
    let foreign = try self.kept(on: "riscv64")
    #expect(try accepting(1, over: foreign) == foreign.because("first"))
    #expect(try accepting(1, all: true, over: foreign).machine == MachineClass.here)
    // A different setting makes it another comparison.
    var other = kept
    other.rows[BaselineCosts.key(.time, ["engine": .text("psola")])] = kept.rows.values.first
    #expect(try accepting(1, over: other).rows.count == 1)
  }

  @Test func unstableCostsAreNotAccepted() throws {
    let (one, other) = (try run().measure(), try run { _ in 1.3 }.measure())
    _ = try Acceptance.differingFigures(
      GateSamples.run(), GateSamples.run(), gate: GateSamples.gate, costs: [one, one])
    #expect(throws: GateError.self) {
      try Acceptance.differingFigures(
        GateSamples.run(), GateSamples.run(), gate: GateSamples.gate, costs: [one, other])
    }
  }

  // MARK: The file

  private let scratch = try! TemporaryFolder()

  @Test func costsAreLinesOfTheBaseline() throws {
    var costs = try kept()
    costs.rows[BaselineCosts.key(.instructions, Self.settings[0])] = .init(
      value: 123_450_000, count: 1, unit: "1/s", direction: .lower, version: 1, reason: "")
    let accepted = try Acceptance(
      of: GateSamples.run(), over: nil, gate: GateSamples.gate, all: false, reason: "first",
      costs: costs)
    #expect(accepted.changes.contains { $0.key.figure.metric == "cost.time" })
    let url = scratch.file("smoke.tsv")
    try accepted.baseline.write(to: url)
    let text = try String(contentsOf: url, encoding: .utf8)
    #expect(text.hasPrefix("# choir-eval.baseline/3\n"))
    #expect(text.contains("\n# cost machine: \(MachineClass.here)\n"))
    #expect(
      text.contains(
        "\ncost.instructions\t–\t–\tcost=0.001\t1.2345e+08\t–\t–\t1\t1/s\tlower\t1\tfirst\n"))
    let again = try Baseline(reading: url)
    #expect(again.costs?.machine == MachineClass.here && again.costs?.rows.count == 2)
    #expect(again.rows.count == 3)  // costs are not among the figures
    let row = try #require(again.costs?.time(Self.settings[0]))
    let was = try #require(costs.time(Self.settings[0]))
    // The file has five digits.
    #expect(abs(row.ratio / was.ratio - 1) < 1e-4 && row.isOfTheMachine(of: was))
    #expect(again.costs?.instructions(Self.settings[0])?.perSecond == 123_450_000)
    // Writing it again gives the same text.
    #expect(again.figuresText(cells: "x") == accepted.baseline.figuresText(cells: "x"))
  }

  @Test func aBaselineWithoutCostsNamesNoCost() throws {
    let text = try GateSamples.baseline().figuresText(cells: "")
    #expect(text.hasPrefix("# choir-eval.baseline/3\n") && !text.contains("cost"))
  }

  /// Costs that are not measured again are kept.
  @Test func anAcceptanceWithoutCostsKeepsThem() throws {
    var old = try GateSamples.baseline()
    old.costs = try kept()
    let next = try Acceptance(
      of: GateSamples.run(), over: old, gate: GateSamples.gate, all: true, reason: "again")
    #expect(next.baseline.costs == old.costs && next.isEmpty)
  }

  @Test func aNewerFileIsNamed() throws {
    let url = try scratch.write("# choir-eval.baseline/4\n", to: "new.tsv")
    do {
      _ = try Baseline(reading: url)
      Issue.record("read")
    } catch { #expect("\(error)".contains("does not begin with '# choir-eval.baseline/3'")) }
  }

  // MARK: Machines

  @Test func aMachineHasAName() {
    let text = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Some  CPU @ 2 GHz\n"
    #expect(MachineClass.processor(in: text) == "Some CPU @ 2 GHz (family 6, model 85)")
    #expect(MachineClass.processor(in: "model name : X") == "X")
    #expect(MachineClass.processor(in: "Features : fp asimd") == nil)
    #expect(
      MachineClass.here.hasPrefix(MachineClass.system) && MachineClass.here.hasSuffix("build"))
  }
}
