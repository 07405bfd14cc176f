import Foundation
import Metrics
import Platform

/// A new baseline that a person accepts, either regressions only or everything, with a reason.
public struct Acceptance: Sendable {
  public struct Change: Codable, Equatable, Sendable {
    public var key: FigureKey
    /// `nil` for a new figure.
    public var before: Double?
    /// `nil` for a figure that is gone.
    public var after: Double?
    public var unit: String
  }

  public let baseline: Baseline
  /// The noise of the baseline; `nil` if it was not measured.
  public let noise: GateNoise?
  /// True if the old noise needs no change.
  public let keepsNoise: Bool
  /// True if the old baseline needs no change.
  public let isEmpty: Bool
  /// Changes in the order of the file.
  public let changes: [Change]
  /// Figures that got better and keep their old values.
  public let improvements: [FigureKey]
  /// Other figures of which the new noise would hide less than the old one, which they keep.
  public let steadier: [FigureKey]

  /// Throws if a cell failed: a baseline needs all of them.
  public static func requireMeasured(_ run: MeasuredRun) throws(Refusal) {
    let failed = run.cells.compactMap { cell in cell.failure.map { "\(cell.address): \($0)" } }
    guard failed.isEmpty else {
      throw Refusal(
        "\(counted(failed.count, "cell")) failed, and a baseline needs all of them; fix these first:\n"
          + failed.prefix(10).map { "  \($0)" }.joined(separator: "\n"))
    }
  }

  /// - Parameters:
  ///   - run: the new measurement; none of its cells may have failed.
  ///   - old: the present baseline; `nil` for the first one.
  ///   - takes: the same cells under perturbations.
  ///   - oldNoise: the noise of `old`.
  ///   - noise: the noise of `run`; `nil` if its input can't be changed.
  ///   - all: true to accept improvements and small changes as well.
  public init(
    of run: MeasuredRun, takes: [MeasuredRun] = [], over old: Baseline?, gate: Gate,
    oldNoise: GateNoise? = nil, noise: GateNoise? = nil, all: Bool, reason: String
  ) throws {
    try Self.requireMeasured(run)
    guard !run.cells.isEmpty else { throw Refusal.noCells(plan: run.provenance.plan) }
    var (cells, improvements) = (run.cells, [FigureKey]())
    if let old, !all {
      let found = try Self.newFigures(
        of: run, takes: takes, over: old, gate: gate, oldNoise: oldNoise)
      cells = Self.merged(run, into: old, where: found.isNew)
      improvements = found.improvements
    }
    let kept = Set(gate.comparedMetrics)
    var next = try Baseline(
      cells: cells.map { $0.keeping(kept) }, provenance: run.provenance, reason: reason)
    let changes = Self.changes(from: old, to: next)
    let changed = Set(changes.map(\.key))
    for (key, row) in old?.rows ?? [:] where !changed.contains(key) {
      next.rows[key]?.reason = row.reason
    }
    let isNew =
      old.map { old in
        !changes.isEmpty || old.provenance.recordings != next.provenance.recordings
          || old.provenance.scores != next.provenance.scores || old.hasOtherJudges
          || old.cells != next.cells
      } ?? true
    let accepted = isNew ? next : old!
    (self.changes, isEmpty, baseline) = (changes, !isNew, accepted)
    self.noise = try noise.map { new throws(Refusal) in
      try accepted.noise(new, of: run, over: oldNoise, gate: gate)
    }
    keepsNoise = self.noise?.hasValues(of: oldNoise) ?? (oldNoise == nil)
    self.improvements = improvements
    steadier =
      all || old == nil
      ? []
      : Self.steadier(
        Takes(run.cells, runs: takes.map(\.cells)), than: accepted.takes(self.noise), gate: gate
      ).filter { !improvements.contains($0) }
    commandForAll = gate.acceptCommand("--all")
  }

  private let commandForAll: String

  /// Number of figures that got better and are not accepted, with the command that accepts them.
  public var remark: String? {
    guard !improvements.isEmpty || !steadier.isEmpty else { return nil }
    var parts: [String] = []
    if !improvements.isEmpty { parts.append("\(counted(improvements.count, "figure")) got better") }
    if !steadier.isEmpty {
      let noun = improvements.isEmpty ? "figure" : "other"
      parts.append("noise hides less in \(counted(steadier.count, noun))")
    }
    return parts.joined(separator: " and ")
      + ", but the baseline keeps the old values; accept all: \(commandForAll)"
  }

  /// Returns the figures of which a gate would find a change that is smaller by a minimum effect or more.
  private static func steadier(_ new: Takes, than old: Takes, gate: Gate) -> [FigureKey] {
    func reach(of takes: Takes) -> [MetricDifference] {
      let comparison = try? RunComparison(
        baseline: takes, candidate: takes.rotated, gate.settings())
      return comparison?.differences ?? []
    }
    let known = reach(of: old).keyed(by: \.key)
    return reach(of: new).filter { figure in
      guard let now = figure.minimumDetectableEffect, let was = known[figure.key] else {
        return false
      }
      return (was.minimumDetectableEffect ?? .infinity) - now >= figure.minimumEffect
    }.map(\.key)
  }

  /// Returns which figures of a cell to take from the run: regressions, figures that the old baseline
  /// lacks or whose metric has changed, and all of a recording or score with other content. Improvements
  /// are none of them.
  private static func newFigures(
    of run: MeasuredRun, takes: [MeasuredRun], over old: Baseline, gate: Gate,
    oldNoise: GateNoise?
  ) throws -> (isNew: (CellAddress, FigureID) -> Bool, improvements: [FigureKey]) {
    let outdated = Set(old.outdatedMetrics.keys)
    let known = Set(old.cells.map(\.address))
    let rows = old.rows
    let (was, now) = (old.provenance, run.provenance)
    let isComparable = { (address: CellAddress) in
      known.contains(address) && !old.hasOtherJudges
        && was.recordings[address.recording] == now.recordings[address.recording]
        && was.scores[address.score] == now.scores[address.score]
    }
    var differences: [MetricDifference] = []
    if run.cells.contains(where: { isComparable($0.address) }) {
      var settings = gate.settings(leavingOut: outdated)
      settings.rule.isRandom = oldNoise?.isRandom ?? false
      differences = try RunComparison(
        baseline: old.takes(oldNoise).keeping(isComparable),
        candidate: Takes(run.cells, runs: oldNoise == nil ? [] : takes.map(\.cells))
          .keeping(isComparable), settings
      ).differences
    }
    func keys(_ verdict: ComparisonVerdict) -> [FigureKey] {
      differences.filter { $0.verdict == verdict }.map(\.key)
    }
    let failed = Set(keys(.regression))
    let isNew = { (address: CellAddress, figure: FigureID) in
      let key = address.key(of: figure)
      return !isComparable(address) || failed.contains(key) || outdated.contains(figure.metric)
        || rows[key] == nil
    }
    return (isNew, keys(.improvement))
  }

  /// Returns the run's cells with old values wherever nothing is new.
  private static func merged(
    _ run: MeasuredRun, into old: Baseline, where isNew: (CellAddress, FigureID) -> Bool
  ) -> [ComparedCell] {
    let known = Dictionary(uniqueKeysWithValues: old.cells.map { ($0.address, $0) })
    return run.cells.map { cell in
      let address = cell.address
      var figures = known[address]?.figures ?? [:]
      for (id, outcome) in cell.figures where isNew(address, id) { figures[id] = outcome }
      // Figures that this run does not measure are no longer gated.
      return ComparedCell(address, figures: figures.filter { cell.figures[$0.key] != nil })
    }
  }

  private static func changes(from old: Baseline?, to new: Baseline) -> [Change] {
    let (old, new) = (old?.rows ?? [:], new.rows)
    return Set(old.keys).union(new.keys).sorted().compactMap { key in
      let (before, after) = (old[key], new[key])
      // Printed values are rounded; only a change that a person can see counts.
      if let before, let after, before.isLike(after) { return nil }
      return Change(
        key: key, before: before?.value, after: after?.value,
        unit: after?.unit ?? before?.unit ?? "")
    }
  }

  /// Returns the number of figures that differ between two equal runs: 0 for a deterministic subject.
  ///
  /// - Throws: a `Refusal` if cells contradict each other.
  public static func differingFigures(
    _ first: MeasuredRun, _ second: MeasuredRun, gate: Gate
  ) throws -> Int {
    let comparison = try RunComparison(
      baseline: first.cells, candidate: second.cells, gate.settings())
    var names = (comparison.missing + comparison.added).map { "\($0): in one run only" }
    names += comparison.broken.map { "\($0.cell): failed in the second run: \($0.reason)" }
    guard names.isEmpty else {
      throw Refusal(
        "two measurements of the same subject contradict each other; nothing to accept:\n"
          + names.prefix(10).map { "  \($0)\n" }.joined()
          + (names.count > 10 ? "  and \(names.count - 10) more\n" : "")
          + "run it again on an idle machine")
    }
    return comparison.differences.count { difference in
      // Deviations of single cells may cancel in a mean.
      let extreme = difference.extreme.map { $0.candidate != $0.baseline } ?? false
      return extreme || difference.worsening ?? 0 != 0 || difference.lost > 0
    }
  }
}

extension Baseline.Row {
  fileprivate func isLike(_ other: Self) -> Bool {
    (count, unit, version) == (other.count, other.unit, other.version)
      && abs(value - other.value) <= 1e-4 * max(abs(value), abs(other.value))
  }
}

extension ComparedCell {
  /// Returns the cell with only the defined values of some metrics.
  func keeping(_ metrics: Set<String>) -> ComparedCell {
    let values = figures.filter { metrics.contains($0.key.metric) && $0.value.number != nil }
    return ComparedCell(address, figures: values, key: key)
  }
}
