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
    let failed = run.cells.compactMap { cell in cell.failure.map { "\(cell.address): \($0)" } }
    guard failed.isEmpty else {
      throw Refusal(
        "\(counted(failed.count, "cell")) failed, and a baseline needs all of them; fix these first:\n"
          + failed.prefix(10).map { "  \($0)" }.joined(separator: "\n"))
    }
    guard !run.cells.isEmpty else { throw Refusal.noCells(plan: run.provenance.plan) }
    var cells = run.cells
    if let old, !all {
      cells = Self.merged(
        run, into: old,
        where: try Self.newFigures(
          of: run, takes: takes, over: old, gate: gate, oldNoise: oldNoise))
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
  }

  /// Returns which figures of a cell to take from the run: regressions, figures that the old baseline
  /// lacks or whose metric has changed, and all of a recording or score with other content.
  private static func newFigures(
    of run: MeasuredRun, takes: [MeasuredRun], over old: Baseline, gate: Gate,
    oldNoise: GateNoise?
  ) throws -> (CellAddress, FigureID) -> Bool {
    let outdated = Set(old.outdatedMetrics.keys)
    let known = Set(old.cells.map(\.address))
    let rows = old.rows
    let (was, now) = (old.provenance, run.provenance)
    let isComparable = { (address: CellAddress) in
      known.contains(address) && !old.hasOtherJudges
        && was.recordings[address.recording] == now.recordings[address.recording]
        && was.scores[address.score] == now.scores[address.score]
    }
    var failed: Set<FigureKey> = []
    if run.cells.contains(where: { isComparable($0.address) }) {
      var settings = gate.settings(leavingOut: outdated)
      settings.rule.isRandom = oldNoise?.isRandom ?? false
      let comparison = try RunComparison(
        baseline: old.takes(oldNoise).keeping(isComparable),
        candidate: Takes(run.cells, runs: oldNoise == nil ? [] : takes.map(\.cells))
          .keeping(isComparable), settings)
      failed = Set(comparison.differences.filter { $0.verdict == .regression }.map(\.key))
    }
    return { address, figure in
      let key = address.key(of: figure)
      return !isComparable(address) || failed.contains(key) || outdated.contains(figure.metric)
        || rows[key] == nil
    }
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
