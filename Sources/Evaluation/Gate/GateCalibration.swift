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
  public var schema = "choir-eval.calibration/2"
  public var plan: String
  public var subjects: [String]
  public var machine: String
  public var date: String
  /// Trials with a regression if noise is ignored.
  public var alarms: Proportion
  /// Trials with a regression if the noise of all other trials is known.
  public var alarmsByNoise: Proportion
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
    let trials = runs.dropFirst().map(\.cells)
    func verdict(_ cells: [ComparedCell], beside others: [[ComparedCell]]) throws -> RunComparison {
      try RunComparison(
        baseline: Takes(first.cells, runs: others), candidate: Takes(cells), gate.settings())
    }
    let comparisons = try trials.map { try verdict($0, beside: []) }
    let alarmed = try trials.indices.count { trial in
      let others = trials.indices.filter { $0 != trial }.map { trials[$0] }
      return try verdict(trials[trial], beside: others).verdict == .regression
    }
    (plan, subjects) = (first.provenance.plan, first.provenance.subjects)
    (machine, date) = (first.provenance.machine, first.provenance.date)
    alarms = Proportion(comparisons.count { $0.verdict == .regression }, of: trials.count)
    alarmsByNoise = Proportion(alarmed, of: trials.count)
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
        + "[\(interval.lowerBound.short), \(interval.upperBound.short)]; judged by the noise of "
        + "the other runs \(alarmsByNoise.successes) of \(alarmsByNoise.trials)"
    ]
  }
}
