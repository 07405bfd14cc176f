import Cost
import Files
import Foundation
import Statistics

/// A comparison of a subject with itself, for the gate's false alarm rate and noise.
///
/// The first run is the baseline. Each further run is a trial, independent of the others given that
/// baseline, as in use.
public struct GateCalibration: Codable, Sendable {
  public var schema = "choir-eval.calibration/1"
  public var plan: String
  public var subjects: [String]
  public var machine: String
  public var date: String
  /// Trials with a regression if noise is ignored.
  public var alarms: Proportion
  /// Trials with a regression if the noise of all other trials is known.
  public var alarmsByNoise: Proportion
  /// Largest change of a figure between equal runs, by metric and in its unit.
  public var noise: [String: Double]

  /// - Parameter runs: at least three runs of one subject, each measured anew.
  /// - Throws: `GateError.failedCells` if a run has failed cells.
  public init(_ runs: [MeasuredRun], gate: Gate) throws {
    precondition(runs.count >= 3, "a baseline and two trials")
    let first = runs[0]
    for run in runs {
      let failed = run.cells.compactMap { cell in cell.failure.map { "\(cell.address): \($0)" } }
      guard failed.isEmpty else { throw GateError.failedCells(failed) }
    }
    let trials = runs.dropFirst().map(\.cells)
    func verdict(_ cells: [ComparedCell], _ noise: GateNoise?) throws -> RunComparison {
      try RunComparison(
        baseline: first.cells, candidate: cells, gate.settings(noise: noise))
    }
    let comparisons = try trials.map { try verdict($0, nil) }
    let changes = comparisons.map(Self.changes)
    let alarmed = try trials.indices.count { trial in
      let others = changes.indices.filter { $0 != trial }.map { changes[$0] }
      let noise = GateNoise(byMetric: Self.largest(of: others), header: [])
      return try verdict(trials[trial], noise).verdict == .regression
    }
    (plan, subjects) = (first.provenance.plan, first.provenance.subjects)
    (machine, date) = (first.provenance.machine, first.provenance.date)
    alarms = Proportion(comparisons.count { $0.verdict == .regression }, of: trials.count)
    alarmsByNoise = Proportion(alarmed, of: trials.count)
    noise = Self.largest(of: changes)
  }

  private static func changes(_ comparison: RunComparison) -> [String: Double] {
    var found: [String: Double] = [:]
    for difference in comparison.differences {
      found[difference.metric] = max(
        found[difference.metric] ?? 0, abs(difference.worsening ?? 0))
    }
    return found
  }

  private static func largest(of changes: [[String: Double]]) -> [String: Double] {
    changes.reduce(into: [:]) { all, one in all.merge(one) { max($0, $1) } }
  }

  /// The noise file for the gate.
  public var noiseFile: GateNoise {
    let interval = alarms.clopperPearson()
    return GateNoise(
      byMetric: noise,
      header: [
        "made by choir-eval gate --calibrate \(alarms.trials): the largest change of a figure "
          + "between equal runs",
        "plan: \(plan)", "subjects: \(subjects.joined(separator: ", "))", "machine: \(machine)",
        "date: \(date)",
        "false alarms: \(alarms.successes) of \(alarms.trials), 95 % "
          + "[\(interval.lowerBound.short), \(interval.upperBound.short)]; judged by the noise of "
          + "the other runs \(alarmsByNoise.successes) of \(alarmsByNoise.trials)",
      ])
  }
}
