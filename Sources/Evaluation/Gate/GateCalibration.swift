import Foundation
import Metrics
import Platform
import Statistics

/// A comparison of a subject with itself under perturbations that nobody can hear, for the gate's
/// noise and its rate of false alarms.
///
/// The first run is the baseline. Each further run is a trial, independent of the others given that
/// baseline, as in use.
public struct GateCalibration: Codable, Sendable {
  public var schema = "choir-eval.calibration/3"
  public var plan: String
  public var subjects: [String]
  public var machine: String
  public var date: String
  /// Trials that are a regression by themselves.
  public var alarms: Proportion
  /// Largest change of a figure among all trials, by metric and in its unit.
  public var noise: [String: Double]

  /// - Parameter runs: the unperturbed run, and at least two under perturbations.
  /// - Throws: `GateError.failedCells` if a run has failed cells.
  public init(_ runs: [MeasuredRun], gate: Gate) throws {
    precondition(runs.count >= 3, "a baseline and two trials")
    let first = runs[0]
    for run in runs {
      let failed = run.cells.compactMap { cell in cell.failure.map { "\(cell.address): \($0)" } }
      guard failed.isEmpty else { throw GateError.failedCells(failed) }
    }
    let comparisons = try runs.dropFirst().map {
      try RunComparison(baseline: first.cells, candidate: $0.cells, gate.settings())
    }
    (plan, subjects) = (first.provenance.plan, first.provenance.subjects)
    (machine, date) = (first.provenance.machine, first.provenance.date)
    alarms = Proportion(comparisons.count { $0.verdict == .regression }, of: comparisons.count)
    noise = comparisons.map(Self.changes).reduce(into: [:]) { all, one in
      all.merge(one) { max($0, $1) }
    }
  }

  private static func changes(_ comparison: RunComparison) -> [String: Double] {
    var found: [String: Double] = [:]
    for difference in comparison.differences {
      found[difference.metric] = max(
        found[difference.metric] ?? 0, abs(difference.worsening ?? 0))
    }
    return found
  }

  /// Lines for the head of the noise file.
  public var lines: [String] {
    let interval = alarms.clopperPearson()
    return [
      "false alarms of a single take: \(alarms.successes) of \(alarms.trials), 95 % "
        + "[\(interval.lowerBound.short), \(interval.upperBound.short)]"
    ]
  }
}
