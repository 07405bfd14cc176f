import Cost
import Files
import Foundation
import Metrics

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
  /// True if the old baseline needs no change.
  public let isEmpty: Bool
  /// Changes in the order of the file.
  public let changes: [Change]

  /// - Parameters:
  ///   - run: the new measurement; none of its cells may have failed.
  ///   - old: the present baseline; `nil` for the first one.
  ///   - all: true to accept improvements and small changes as well.
  ///   - costs: newly measured costs; `nil` keeps those of `old`.
  public init(
    of run: MeasuredRun, over old: Baseline?, gate: Gate, noise: GateNoise? = nil, all: Bool,
    reason: String, costs: BaselineCosts? = nil
  ) throws {
    let failed = run.cells.compactMap { cell in cell.failure.map { "\(cell.address): \($0)" } }
    guard failed.isEmpty else { throw GateError.failedCells(failed) }
    guard !run.cells.isEmpty else { throw GateError.noCells(plan: run.provenance.plan) }
    func values(_ cells: [ComparedCell]) -> [ComparedCell] {
      cells.map { $0.keeping(gate.comparedMetrics) }
    }
    guard let old else {
      var first = try Baseline(
        cells: values(run.cells), provenance: run.provenance, reason: reason)
      first.costs = costs?.because(reason)
      baseline = first
      changes = Self.changes(from: nil, to: first)
      isEmpty = false
      return
    }
    let cells = all ? run.cells : try Self.merged(run, into: old, gate: gate, noise: noise)
    var next = try Baseline(cells: values(cells), provenance: run.provenance, reason: reason)
    next.costs =
      costs.map { new in
        old.costs?.accepting(new, all: all, reason: reason, (gate.cost ?? GateCost()).trial)
          ?? new.because(reason)
      } ?? old.costs
    changes = Self.changes(from: old, to: next)
    let changed = Set(changes.map(\.key))
    for (key, row) in old.rows where !changed.contains(key) {
      next.rows[key]?.reason = row.reason
    }
    baseline = next
    isEmpty =
      changes.isEmpty && old.provenance.recordings == next.provenance.recordings
      && old.provenance.scores == next.provenance.scores
      && old.cells.map(\.address) == next.cells.map(\.address)
  }

  /// Returns new values for regressions and for figures that the old baseline lacks, and old values
  /// for everything else.
  private static func merged(
    _ run: MeasuredRun, into old: Baseline, gate: Gate, noise: GateNoise?
  ) throws -> [ComparedCell] {
    let outdated = Set(old.outdatedMetrics.keys)
    let known = Dictionary(uniqueKeysWithValues: old.cells.map { ($0.address, $0) })
    let sameContent = { (address: CellAddress) in
      old.provenance.recordings[address.recording] == run.provenance.recordings[address.recording]
        && old.provenance.scores[address.score] == run.provenance.scores[address.score]
    }
    let comparable = run.cells.filter { known[$0.address] != nil && sameContent($0.address) }
    var failed: Set<FigureKey> = []
    if !comparable.isEmpty {
      let comparison = try RunComparison(
        baseline: old.cells.filter { sameContent($0.address) }, candidate: comparable,
        gate.settings(noise: noise, leavingOut: outdated))
      failed = Set(
        comparison.differences.filter { $0.verdict == .regression }.map {
          $0.key
        })
    }
    return run.cells.map { cell in
      guard let before = known[cell.address], sameContent(cell.address) else { return cell }
      let address = cell.address
      var figures = before.figures
      for (id, outcome) in cell.figures {
        let key = address.key(of: id)
        if failed.contains(key) || outdated.contains(id.metric) || old.rows[key] == nil {
          figures[id] = outcome
        }
      }
      // Figures that this run does not measure are no longer gated.
      return ComparedCell(address, figures: figures.filter { cell.figures[$0.key] != nil })
    }
  }

  private static func changes(from old: Baseline?, to new: Baseline) -> [Change] {
    let (old, new) = (old?.reviewedRows ?? [:], new.reviewedRows)
    return Set(old.keys).union(new.keys).sorted().compactMap { key in
      let (before, after) = (old[key], new[key])
      // Printed values are rounded; only a change that a person can see counts.
      if let before, let after, before.isLike(after) { return nil }
      return Change(
        key: key, before: before?.value, after: after?.value,
        unit: after?.unit ?? before?.unit ?? "")
    }
  }

  /// - Throws: `GateError.unstable` if two measurements of the same subject differ beyond noise.
  public static func refuseUnstable(
    _ first: MeasuredRun, _ second: MeasuredRun, gate: Gate, noise: GateNoise? = nil,
    costs: [BaselineCosts] = []
  ) throws {
    let comparison = try RunComparison(
      baseline: first.cells, candidate: second.cells, gate.settings(noise: noise))
    var names = comparison.differences.compactMap { found -> String? in
      let key = found.key
      if found.lost > 0 { return "\(key): a value is missing in the second run" }
      let extreme = found.extreme.map { abs($0.candidate - $0.baseline) } ?? 0
      let change = max(abs(found.worsening ?? 0), found.noise == 0 ? extreme : 0)
      guard change > found.noise + 1e-9 * max(1, abs(found.baseline ?? 0)) else { return nil }
      return "\(key): \((found.baseline ?? 0).short), then \((found.candidate ?? 0).short) "
        + found.unit
    }
    names += (comparison.missing + comparison.added).map { "\($0): in one run only" }
    if let one = costs.first, let other = costs.last {
      names += one.unstable(beside: other, (gate.cost ?? GateCost()).trial).map { key in
        "\(key): \(one.rows[key]!.value.short), then "
          + "\(other.rows[key].map { $0.value.short } ?? "no value")"
      }
    }
    names += comparison.broken.map { "\($0.cell): failed in the second run: \($0.reason)" }
    guard names.isEmpty else { throw GateError.unstable(names) }
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
  func keeping(_ metrics: [String]) -> ComparedCell {
    let kept = Set(metrics)
    let values = figures.filter { id, outcome in
      if kept.contains(id.metric), case .value = outcome { true } else { false }
    }
    return ComparedCell(address, figures: values, key: key)
  }
}
