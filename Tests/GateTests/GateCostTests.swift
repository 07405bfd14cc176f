import DSP
import EvaluationSupport
import Foundation
import Platform
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
    guard let own = settings["cost"]?.number else { throw Refusal.noTime }
    return KnownRounds { renewals in own * (cost?(renewals) ?? 1) }
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
      command: "choir-eval probe mine --only cost")
  }

  private func findings(_ run: GateCostRun) -> [CostFinding] {
    run.findings(against: KnownSide(), option: "--baseline old/choir-eval")
  }

  private func found(
    _ cost: GateCost = GateCost(), costing factor: @escaping (Int) -> Double
  ) throws -> CostFinding {
    try #require(findings(try run(cost, costing: factor)).first)
  }

  // MARK: In turns

  /// Costs of 10 % more, 10 % less and the same; readings and thus the ratio are exact within 1 %.
  @Test(arguments: [(1.1, ComparisonVerdict.regression), (0.9, .improvement), (1, .withinNoise)])
  func aBaselineAtHandIsReadByTurns(factor: Double, verdict: ComparisonVerdict) throws {
    let found = try self.found { _ in factor }
    let comparison = try #require(found.comparison)
    #expect(comparison.verdict == verdict)
    #expect(abs(comparison.ratio / factor - 1) < 0.01)
    #expect(comparison.confirmed == (verdict != .withinNoise))
    #expect((found.finding == nil) == (verdict == .withinNoise))
  }

  @Test func aRegressionIsNamedWithItsCommand() throws {
    let found = try #require(try self.found { _ in 1.25 }.finding)
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
    let found = try self.found { $0 <= 20 ? 1.3 : 1 }
    #expect(found.comparison?.verdict == .inconclusive && found.comparison?.confirmed == false)
    #expect(found.finding?.kind.outcome(strict: false) == nil)
    #expect(found.finding?.kind.outcome(strict: true) == .inconclusive)
  }

  @Test func theMinimumIsTheGates() throws {
    var cost = GateCost()
    cost.minimumPercent = 15
    let found = try found(cost) { _ in 1.1 }
    #expect(found.comparison?.verdict == .withinNoise && found.finding == nil)
    #expect(found.command.contains("probe mine --only cost --set"))
  }

  /// A setting that can't be measured fails the gate without hiding the other one.
  @Test func aSettingThatFailsIsNoPass() throws {
    let findings = findings(try run(settings: [["shift": .number(4)]] + Self.settings))
    #expect(findings.map { $0.finding?.kind } == [.notComparable, nil])
    #expect(findings[0].finding?.message.hasPrefix("the work took no time") == true)
    let result = try GateJudge(
      GateSamples.gate, baseline: GateSamples.baseline(), explainOptions: ""
    ).result(of: GateSamples.run(), costs: findings)
    #expect(result.outcome(strict: false) == .notMeasured && result.costs == findings)
  }

  @Test func aRegressionOfCostFailsTheGate() throws {
    let worse = try self.found { _ in 1.1 }
    let result = try GateJudge(
      GateSamples.gate, baseline: GateSamples.baseline(), explainOptions: ""
    ).result(of: GateSamples.run(), costs: [worse])
    #expect(result.outcome() == .regression)
    #expect(result.findings.map(\.subject) == ["cost · cost=0.001"])
  }

  // MARK: The file

  private let scratch = try! TemporaryFolder()

  /// Costs that a baseline once had are no figures of it.
  @Test func costsOfOlderFilesAreLeftOut() throws {
    var old = try GateSamples.baseline()
    let row = try #require(old.rows.values.first)
    old.rows[FigureKey(.init("cost.time", voice: nil), score: "", configuration: "cost=1")] = row
    let url = scratch.file("smoke.tsv")
    try old.write(to: url)
    #expect(try String(contentsOf: url, encoding: .utf8).contains("\ncost.time\t"))
    #expect(try Baseline(reading: url).rows.keys == GateSamples.baseline().rows.keys)
  }

  @Test func aNewerFileIsNamed() throws {
    let url = try scratch.write("# choir-eval.baseline/4\n", to: "new.tsv")
    expectError("does not begin with '# choir-eval.baseline/3'") { try Baseline(reading: url) }
  }

  // MARK: Machines

  @Test func aMachineHasAName() {
    let text = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Some  CPU @ 2 GHz\n"
    #expect(MachineClass.processor(in: text) == "Some CPU @ 2 GHz (family 6, model 85)")
    #expect(MachineClass.processor(in: "model name : X") == "X")
    #expect(MachineClass.processor(in: "Features : fp asimd") == nil)
    #expect(MachineClass.machine.hasPrefix(MachineClass.system))
  }
}
