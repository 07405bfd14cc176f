import Foundation
import Metrics
import Platform
import Subjects

/// Judges a run by a gate: the baseline figure by figure, the budgets, and completeness. Everything
/// that could not be compared is a finding, so nothing passes unnoticed.
public struct GateJudge: Sendable {
  public let gate: Gate
  public let baseline: Baseline
  public let noise: GateNoise?
  /// Options appended to `choir-eval explain CELL METRIC`.
  public var explainOptions: String

  /// Command that accepts a change.
  let acceptCommand: String

  /// - Parameter acceptCommand: `choir-eval accept` with the gate, unless another one is given.
  public init(
    _ gate: Gate, baseline: Baseline, noise: GateNoise? = nil, explainOptions: String,
    acceptCommand: String? = nil
  ) {
    self.acceptCommand = acceptCommand ?? gate.acceptCommand()
    (self.gate, self.baseline, self.noise) = (gate, baseline, noise)
    self.explainOptions = explainOptions
  }

  /// Returns the perturbations under which the subject must be measured too, because a figure changed
  /// that inaudible changes may move; empty if one take is enough.
  public func perturbations(for run: MeasuredRun) throws -> [Perturbation] {
    guard let noise, noise.perturbations > 0 else { return [] }
    return try isSuspicious(run) ? (1...noise.perturbations).map(Perturbation.init) : []
  }

  /// Returns true if a figure changed by half of its minimum effect, or got a rare event more, or lost a
  /// value, whatever noise may explain.
  func isSuspicious(_ run: MeasuredRun) throws -> Bool {
    guard !baseline.hasOtherJudges else { return false }
    return try comparison(of: run, noise: nil, leavingOut: changedContents(run)).differences
      .contains(where: \.isSuspicious)
  }

  /// Returns true if a figure got worse, whatever noise may explain.
  public func looksWorse(_ run: MeasuredRun) throws -> Bool {
    guard !baseline.hasOtherJudges else { return false }
    return try comparison(of: run, noise: nil, leavingOut: changedContents(run)).verdict
      == .regression
  }

  /// Compared metrics that have another version than in the baseline.
  private var outdated: [String: (was: Int, is: Int?)] {
    baseline.outdatedMetrics.filter { gate.comparedMetrics.contains($0.key) }
  }

  /// - Parameters:
  ///   - takes: the run's cells under perturbations.
  ///   - changed: cells to leave out.
  func comparison(
    of run: MeasuredRun, takes: [MeasuredRun] = [], noise: GateNoise?,
    leavingOut changed: Set<CellAddress> = []
  ) throws -> RunComparison {
    guard changed.isEmpty || !run.cells.allSatisfy({ changed.contains($0.address) }) else {
      throw Refusal(
        "every cell has a recording or a score whose content differs from the baseline's, so nothing "
          + "can be compared; accept it: \(acceptCommand)")
    }
    var settings = gate.settings(leavingOut: Set(outdated.keys))
    settings.rule.isRandom = noise?.isRandom ?? false
    return try RunComparison(
      baseline: baseline.takes(noise).keeping { !changed.contains($0) },
      candidate: Takes(run.cells, runs: takes.map(\.cells)).keeping { !changed.contains($0) },
      settings)
  }

  /// - Parameters:
  ///   - takes: the run's cells under `perturbations`.
  ///   - costs: findings of cost, measured separately.
  ///   - bench: answers to sounds that are no voice, now and in the baseline.
  /// - Throws: a `Refusal` if run and baseline have no cell in common, or if the recordings or scores of all cells changed.
  public func result(
    of run: MeasuredRun, takes: [MeasuredRun] = [], costs: [CostFinding] = [],
    bench: (now: GateBench, accepted: GateBench?)? = nil
  ) throws -> GateResult {
    guard !run.cells.isEmpty else { throw Refusal.noCells(plan: run.provenance.plan) }
    var findings: [GateFinding] = []
    let changed = changedContents(run) { findings.append($0) }
    var comparison = try comparison(of: run, takes: takes, noise: noise, leavingOut: changed)
    if takes.isEmpty, let noise, noise.isRandom {
      // A suspicious change would have been measured as often as the baseline.
      let reach = NoiseReach.differences(of: baseline, noise, gate: gate).keyed(by: \.key)
      for place in comparison.differences.indices {
        comparison.differences[place].minimumDetectableEffect =
          reach[comparison.differences[place].key]?.minimumDetectableEffect
      }
    }
    // Other judges move figures of the same sound.
    let differences = baseline.hasOtherJudges ? [] : comparison.differences
    let budgets = gate.budgets.filter { $0.mistake(in: run.cells) == nil }
      .flatMap { $0.findings(in: run.cells) }

    findings += differences.compactMap(finding) + costs.compactMap(\.finding)
    findings += bench.map(benchFindings) ?? []
    let hasFailures = run.cells.contains { $0.failure != nil }
    findings += budgets.filter(\.isBroken).map { finding($0, hasFailures: hasFailures) }
    findings += gate.budgets.compactMap { budget in
      budget.mistake(in: run.cells).map { GateFinding(.notComparable, "\(budget)", $0) }
    }
    findings += run.cells.compactMap { cell in
      cell.failure.map { GateFinding(.failedCell, "\(cell.address)", $0) }
    }
    findings += missing(run, comparison)
    for (metric, versions) in outdated.sorted(by: { $0.key < $1.key }) {
      let now = versions.is.map { "is now version \($0)" } ?? "no longer exists"
      findings.append(
        GateFinding(
          .notComparable, metric,
          "the baseline has version \(versions.was), but the metric \(now); \(acceptance)",
          metric: metric))
    }
    if baseline.hasOtherJudges {
      findings.append(
        GateFinding(
          .notComparable, "judges",
          "are set otherwise than when the baseline was accepted; \(acceptance)"))
    }
    findings += unmeasured(run, outdated: Set(outdated.keys))
    findings += news(run, comparison)
    findings += notCovered(run)
    findings += try noiseNotes(run, comparison, takes: takes.count)
    let causes = CauseGroup.all(of: differences.filter { $0.verdict == .regression })
    let grouped = Self.grouped(findings, by: causes)
    findings = GateFinding.Kind.allCases.flatMap { kind in grouped.filter { $0.kind == kind } }

    return GateResult(
      gate: gate.url.relativePath, baselineFile: gate.baselineFile.relativeToHere,
      plan: run.provenance.plan, subjects: run.provenance.subjects,
      machine: run.provenance.machine, baseline: baseline.provenance,
      measuredCells: run.cells.count { $0.failure == nil },
      expectedCells: gate.cells ?? baseline.cells.count,
      takes: 1 + takes.count, knowsNoise: noise != nil,
      comparison: differences.isEmpty ? nil : comparison,
      budgets: budgets,
      costs: costs, causes: causes, findings: findings)
  }

  /// Returns the findings with figures in the order of their causes, all heads first.
  private static func grouped(_ findings: [GateFinding], by causes: [CauseGroup]) -> [GateFinding] {
    let byKey = findings.keyed { $0.key }
    func named(_ key: FigureKey, _ group: CauseGroup, isFolded: Bool) -> GateFinding? {
      guard var finding = byKey[key] else { return nil }
      (finding.cause, finding.isFolded) = (group.title, isFolded)
      finding.message = "\(group.title): \(finding.message)"
      return finding
    }
    let heads = causes.compactMap { named($0.head, $0, isFolded: false) }
    let folded = causes.flatMap { group in
      group.folded.compactMap { named($0, group, isFolded: true) }
    }
    let keys = Set((heads + folded).map(\.key))
    return heads + findings.filter { $0.key == nil } + folded
      + findings.filter { $0.key != nil && !keys.contains($0.key) }
  }

  var acceptance: String { "accept it: \(acceptCommand)" }

  // MARK: - Figures

  private func finding(_ found: MetricDifference) -> GateFinding? {
    guard let kind = GateFinding.Kind(found.verdict) else { return nil }
    let key = found.key
    return GateFinding(
      kind, "\(key)", found.sentence, metric: found.metric,
      command: found.extreme.flatMap { command($0.cell, found.metric) }, key: key)
  }

  /// Returns the finding of a broken budget. Cells that failed prove no regression.
  private func finding(_ found: BudgetFinding, hasFailures: Bool) -> GateFinding {
    let budget = found.budget
    let place = [found.voice, found.score, found.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let value = found.value.map { "measured \($0.short)" } ?? "no cell has a value"
    let worst = found.recording.map { ", worst on \($0)" } ?? ""
    return GateFinding(
      found.value == nil && hasFailures ? .notComparable : .brokenBudget,
      [budget.metric, place].filter { !$0.isEmpty }.joined(separator: " · "),
      "\(budget): \(value)\(worst)", metric: budget.metric,
      command: found.cell.flatMap { command($0, budget.metric) })
  }

  func command(_ cell: String, _ metric: String) -> String? {
    guard !cell.isEmpty else { return nil }
    let options = explainOptions.isEmpty ? "" : " " + explainOptions
    return "choir-eval explain \(cell.prefix(12)) \(metric)\(options)"
  }
}
