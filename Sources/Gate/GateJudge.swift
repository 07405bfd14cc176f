import Cost
import Files
import Foundation
import Metrics
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
  private let acceptCommand: String

  /// - Parameter acceptCommand: `choir-eval accept` with the gate, unless another one is given.
  public init(
    _ gate: Gate, baseline: Baseline, noise: GateNoise? = nil, explainOptions: String,
    acceptCommand: String? = nil
  ) {
    self.acceptCommand =
      acceptCommand ?? "choir-eval accept \(gate.url.relativePath) --reason \"…\""
    (self.gate, self.baseline, self.noise) = (gate, baseline, noise)
    self.explainOptions = explainOptions
  }

  /// Returns the perturbations under which the subject must be measured too, because a figure changed
  /// that inaudible changes may move; empty if one take is enough.
  public func perturbations(for run: MeasuredRun) throws -> [Perturbation] {
    guard let noise, noise.perturbations > 0 else { return [] }
    return try isSuspicious(run) ? (1...noise.perturbations).map(Perturbation.init) : []
  }

  /// Returns true if a figure got worse, or a cell may have a rare event more, whatever noise may
  /// explain.
  func isSuspicious(_ run: MeasuredRun) throws -> Bool {
    try comparison(of: run, noise: nil, leavingOut: changedContents(run)).differences.contains {
      $0.verdict == .regression || RareEvents.isHinted(by: $0)
    }
  }

  /// Returns true if a figure got worse, whatever noise may explain.
  public func looksWorse(_ run: MeasuredRun) throws -> Bool {
    try comparison(of: run, noise: nil, leavingOut: changedContents(run)).verdict == .regression
  }

  /// - Parameters:
  ///   - takes: the run's cells under perturbations.
  ///   - changed: cells to leave out.
  private func comparison(
    of run: MeasuredRun, takes: [MeasuredRun] = [], noise: GateNoise?,
    leavingOut changed: Set<CellAddress> = []
  ) throws -> RunComparison {
    let outdated = baseline.outdatedMetrics.filter { gate.comparedMetrics.contains($0.key) }
    return try RunComparison(
      baseline: baseline.takes(noise).keeping { !changed.contains($0) },
      candidate: Takes(run.cells, runs: takes.map(\.cells)).keeping { !changed.contains($0) },
      gate.settings(leavingOut: Set(outdated.keys)))
  }

  /// - Parameters:
  ///   - takes: the run's cells under `perturbations`.
  ///   - costs: findings of cost, measured separately.
  ///   - bench: answers to sounds that are no voice, now and in the baseline.
  /// - Throws: `ComparisonError` if run and baseline have no cell in common.
  public func result(
    of run: MeasuredRun, takes: [MeasuredRun] = [], costs: [CostFinding] = [],
    bench: (now: GateBench, accepted: GateBench?)? = nil
  ) throws -> GateResult {
    guard !run.cells.isEmpty else { throw GateError.noCells(plan: run.provenance.plan) }
    var findings: [GateFinding] = []
    let changed = changedContents(run) { findings.append($0) }
    let outdated = baseline.outdatedMetrics.filter { gate.comparedMetrics.contains($0.key) }
    let comparison = try comparison(of: run, takes: takes, noise: noise, leavingOut: changed)
    let budgets = gate.budgets.flatMap { $0.findings(in: run.cells) }

    findings += comparison.differences.compactMap(finding) + costs.compactMap(\.finding)
    findings += bench.map(benchFindings) ?? []
    findings += budgets.filter(\.isBroken).map(finding)
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
    findings += unmeasured(run, comparison, outdated: Set(outdated.keys))
    findings += news(run, comparison)
    findings += notCovered(run)
    findings += try noiseNotes(run, comparison, takes: takes.count)
    let order = GateFinding.Kind.allCases
    findings = findings.enumerated().sorted { a, b in
      (order.firstIndex(of: a.element.kind)!, a.offset)
        < (order.firstIndex(of: b.element.kind)!, b.offset)
    }.map(\.element)

    let causes = CauseGroup.all(of: comparison.differences.filter { $0.verdict == .regression })
    findings = Self.grouped(findings, by: causes)

    return GateResult(
      gate: gate.url.relativePath, baselineFile: gate.baselineFile.relativeToHere,
      plan: run.provenance.plan, subjects: run.provenance.subjects,
      machine: run.provenance.machine, baseline: baseline.provenance,
      measuredCells: run.cells.count { $0.failure == nil },
      expectedCells: gate.cells ?? baseline.cells.count,
      takes: 1 + takes.count, knowsNoise: noise != nil,
      comparison: comparison.differences.isEmpty ? nil : comparison,
      budgets: budgets,
      costs: costs, causes: causes, findings: findings)
  }

  /// Returns the findings with regressions in the order of their causes, all heads first.
  private static func grouped(
    _ findings: [GateFinding], by causes: [CauseGroup]
  ) -> [GateFinding] {
    let byKey = Dictionary(
      findings.compactMap { finding in finding.key.map { ($0, finding) } }
    ) { first, _ in first }
    func named(_ key: FigureKey, _ group: CauseGroup, isFolded: Bool) -> GateFinding? {
      guard var finding = byKey[key] else { return nil }
      (finding.cause, finding.isFolded) = (group.title, isFolded)
      finding.message = "\(group.title): " + finding.message
      return finding
    }
    let heads = causes.compactMap { named($0.head, $0, isFolded: false) }
    let folded = causes.flatMap { group in
      group.folded.compactMap { named($0, group, isFolded: true) }
    }
    let keys = Set((heads + folded).map(\.key))
    return heads + findings.filter { $0.key == nil ? $0.kind == .regression : false } + folded
      + findings.filter { $0.key == nil ? $0.kind != .regression : !keys.contains($0.key) }
  }

  private var acceptance: String { "accept it: \(acceptCommand)" }

  // MARK: - Figures

  private func finding(_ found: MetricDifference) -> GateFinding? {
    let kind: GateFinding.Kind
    switch found.verdict {
    case .regression: kind = .regression
    case .inconclusive: kind = .inconclusive
    case .improvement: kind = .improvement
    case .withinNoise: return nil
    }
    let key = found.key
    var message = "\(found.reason)"
    if let baseline = found.baseline, let candidate = found.candidate {
      message +=
        ": \(baseline.short) → \(candidate.short) \(found.unit)"
        + (found.interval.map {
          ", worse by [\($0.lowerBound.short), \($0.upperBound.short)]"
        } ?? "") + ", n = \(found.recordings)"
    } else if let reason = found.lossReason {
      message += ": \(reason)"
    }
    message += "; minimum effect \(found.minimumEffect.short) \(found.unit)"
    if let detectable = found.minimumDetectableEffect {
      message += ", detectable \(detectable.short)"
    }
    return GateFinding(
      kind, "\(key)", message, metric: found.metric,
      command: found.extreme.flatMap { command($0.cell, found.metric) }, key: key)
  }

  private func finding(_ found: BudgetFinding) -> GateFinding {
    let budget = found.budget
    let place = [found.voice, found.score, found.configuration].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: " · ")
    let value = found.value.map { "measured \($0.short)" } ?? "no cell has a value"
    let worst = found.recording.map { ", worst on \($0)" } ?? ""
    return GateFinding(
      .brokenBudget, [budget.metric, place].filter { !$0.isEmpty }.joined(separator: " · "),
      "\(budget): \(value)\(worst)", metric: budget.metric,
      command: found.cell.flatMap { command($0, budget.metric) })
  }

  private func command(_ cell: String, _ metric: String) -> String? {
    guard !cell.isEmpty else { return nil }
    let options = explainOptions.isEmpty ? "" : " " + explainOptions
    return "choir-eval explain \(cell.prefix(12)) \(metric)\(options)"
  }

  // MARK: - What can't be compared

  /// Returns the cells of recordings or scores whose content has changed.
  private func changedContents(
    _ run: MeasuredRun, report: (GateFinding) -> Void = { _ in }
  ) -> Set<CellAddress> {
    func changed(_ was: [String: String], _ now: [String: String], _ what: String) -> Set<String> {
      let ids = was.filter { id, digest in now[id].map { $0 != digest } ?? false }.keys.sorted()
      for id in ids {
        report(
          GateFinding(
            .notComparable, "\(what) \(id)", "differs from the baseline's content; \(acceptance)"))
      }
      return Set(ids)
    }
    let (was, now) = (baseline.provenance, run.provenance)
    let recordings = changed(was.recordings, now.recordings, "recording")
    let scores = changed(was.scores, now.scores, "score")
    return Set(
      (run.cells + baseline.cells).map(\.address).filter {
        recordings.contains($0.recording) || scores.contains($0.score)
      })
  }

  private func missing(_ run: MeasuredRun, _ comparison: RunComparison) -> [GateFinding] {
    var findings = comparison.missing.map {
      GateFinding(.missingCell, "\($0)", "is in the baseline, but not in this run")
    }
    if let expected = gate.cells, run.cells.count < expected, comparison.missing.isEmpty {
      findings.append(
        GateFinding(
          .missingCell, counted(expected - run.cells.count, "cell"),
          "the run has \(run.cells.count) of the \(expected) cells that the gate requires"))
    }
    return findings
  }

  /// Returns findings for figures of the baseline whose metric the run did not measure. A metric that
  /// was measured, without a value, is none of them: a figure may come and go from take to take.
  private func unmeasured(
    _ run: MeasuredRun, _ comparison: RunComparison, outdated: Set<String>
  ) -> [GateFinding] {
    /// Returns the key of a metric, whatever its voice, with the score and configuration of another.
    func key(_ metric: String, beside key: FigureKey) -> FigureKey {
      FigureKey(FigureID(metric), score: key.score, configuration: key.configuration)
    }
    let measured = Set(
      run.cells.flatMap { cell in
        cell.figures.keys.map { cell.address.key(of: FigureID($0.metric)) }
      })
    let gated = Set(gate.comparedMetrics)
    // Cells that are missing altogether have findings of their own.
    let places = Set(comparison.differences.map { key("", beside: $0.key) })
    let metrics = baseline.rows.keys.filter {
      gated.contains($0.figure.metric) && !outdated.contains($0.figure.metric)
        && places.contains(key("", beside: $0))
        && !measured.contains(key($0.figure.metric, beside: $0))
    }.map(\.figure.metric)
    return Set(metrics).sorted().map {
      GateFinding(
        .notComparable, $0, "is in the baseline, but not measured in this run; \(acceptance)",
        metric: $0)
    }
  }

  private func benchFindings(_ now: GateBench, _ accepted: GateBench?) -> [GateFinding] {
    guard let accepted else {
      return [
        GateFinding(
          .note, "bench",
          "the answers to sounds that are no voice were never accepted, so nothing guards them; "
            + "accept them: \(acceptCommand)")
      ]
    }
    return now.findings(against: accepted)
  }

  /// Returns notes about what noise decided.
  private func noiseNotes(
    _ run: MeasuredRun, _ comparison: RunComparison, takes: Int
  ) throws -> [GateFinding] {
    guard let noise else { return [] }
    var notes: [GateFinding] = []
    if noise.isRandom {
      notes.append(
        GateFinding(
          .note, "random subject",
          "\(noise.differingFigures) figures differed between two equal runs when the baseline was "
            + "accepted; a change counts beyond that noise"))
    }
    let loud = comparison.differences.filter { $0.noise > Self.loud * $0.minimumEffect }
    if !loud.isEmpty {
      let names = Set(loud.map(\.metric)).sorted().joined(separator: ", ")
      notes.append(
        GateFinding(
          .note, "noisy figures",
          "\(loud.count) of \(comparison.differences.count) figures decide only beyond "
            + "\(Int(Self.loud)) times their minimum effect, because inaudible changes of the input "
            + "move them: \(names)"))
    }
    guard takes > 0 else { return notes }
    let bare = try self.comparison(of: run, noise: nil, leavingOut: changedContents(run))
    let alarms = Set(bare.differences.filter { $0.verdict == .regression }.map(\.key))
    let cleared = alarms.subtracting(
      comparison.differences.filter { $0.verdict == .regression }.map(\.key))
    if !cleared.isEmpty {
      let names = Set(cleared.map(\.figure.metric)).sorted().joined(separator: ", ")
      notes.append(
        GateFinding(
          .note, "no further than noise",
          "\(cleared.count) figures changed, but no further than inaudible changes of the input move "
            + "them, by the medians of \(takes + 1) takes: \(names)"))
    }
    return notes
  }

  /// Noise in minimum effects beyond which a figure hardly decides anything.
  private static let loud = 10.0

  /// Returns a note for each configuration that gives a mix only, about the metrics that need stems.
  private func notCovered(_ run: MeasuredRun) -> [GateFinding] {
    let compared = Set(gate.comparedMetrics)
    var (hidden, told): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
    for cell in run.cells {
      for (figure, outcome) in cell.figures where compared.contains(figure.metric) {
        switch outcome {
        case .value: told[cell.address.configuration, default: []].insert(figure.metric)
        case .undefined(let reason) where reason.code == .noStems:
          hidden[cell.address.configuration, default: []].insert(figure.metric)
        case .undefined: break
        }
      }
    }
    return hidden.sorted { $0.key < $1.key }.compactMap { configuration, metrics in
      let untold = metrics.subtracting(told[configuration] ?? []).sorted()
      guard !untold.isEmpty else { return nil }
      return GateFinding(
        .note, "not covered",
        "\(configuration.isEmpty ? "the subject" : configuration) gives a mix only; "
          + "\(untold.joined(separator: ", ")) \(untold.count == 1 ? "needs" : "need") stems")
    }
  }

  private func news(_ run: MeasuredRun, _ comparison: RunComparison) -> [GateFinding] {
    var findings: [GateFinding] = []
    if !comparison.added.isEmpty {
      let names = comparison.added.prefix(3).map { "\($0)" }.joined(separator: "; ")
      findings.append(
        GateFinding(
          .notComparable, "\(comparison.added.count) new cells",
          "are not in the baseline, such as \(names); \(acceptance)"))
    }
    let known = Set(baseline.rows.keys.map(\.figure.metric))
    let new = gate.comparedMetrics.filter { id in
      !known.contains(id)
        && run.cells.contains { cell in
          cell.figures.contains { figure, outcome in
            if figure.metric == id, case .value = outcome { true } else { false }
          }
        }
    }
    if !new.isEmpty {
      findings.append(
        GateFinding(
          .note, "new metrics",
          "the baseline lacks \(new.joined(separator: ", ")); they are not gated until accepted"))
    }
    if run.provenance.machine != baseline.provenance.machine {
      findings.append(
        GateFinding(
          .note, "machine",
          "the baseline was measured on \(baseline.provenance.machine), this run on "
            + run.provenance.machine))
    }
    return findings
  }
}
