import CommandSupport
import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// Messages of a sweep on a terminal.
enum SweepText {
  /// Counts of cells, times, and the command for the report.
  ///
  /// - Parameter places: files of the run, for that command.
  static func closing(_ outcome: Sweep.Outcome, _ plan: Plan, _ places: StoreOptions) -> String {
    let work =
      outcome.computed == 0 && outcome.left.isEmpty
      ? "nothing to compute: all \(outcome.total) cells were stored"
      : "\(outcome.computed) of \(counted(outcome.total, "cell")) computed in "
        + "\(ProgressBar.clock(outcome.time.clock))\(split(outcome.time)), "
        + "\(outcome.stored) were stored"
    let command = ShellWords.line(["choir-eval", "report", plan.name] + places.words)
    return "\n\(work). Write the report: \(command)"
  }

  private static func split(_ time: Sweep.Time) -> String {
    guard let overhead = time.overhead, time.all > 0 else { return "" }
    func percent(_ share: Double) -> String { "\(format(100 * share, 0)) %" }
    return " (subjects \(percent(time.subject / time.all)), judges "
      + "\(percent(time.judges / time.all)), all else \(percent(overhead)))"
  }

  /// The cells that were not started, by recording.
  static func left(_ outcome: Sweep.Outcome, _ limitSeconds: Double?) -> String {
    let why =
      outcome.end == .outOfTime
      ? "out of time (\(ProgressBar.clock(limitSeconds ?? 0)))" : "interrupted"
    guard !outcome.left.isEmpty else {
      return "\(why): only rounds of timing are left; repeat the command to continue"
    }
    let recordings = Dictionary(grouping: outcome.left) { $0.recording.id }.mapValues(\.count)
    let list = recordings.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let most = list.prefix(6).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
    let more = list.count > 6 ? " and \(list.count - 6) more recordings" : ""
    return
      "\(why): \(outcome.left.count) of \(counted(outcome.total, "cell")) were not started, of \(most)\(more);"
      + " repeat the command to continue"
  }

  /// Remarks beside the numbers, such as that outputs were mixed down.
  static func notes(on run: StoredRun) -> [String] {
    var notes: [String: Int] = [:]
    for cell in run.cells {
      if let note = cell.note { notes["\(cell.subject): \(note)", default: 0] += 1 }
    }
    return notes.sorted { $0.key < $1.key }.map { "note: \($0.key) (\(counted($0.value, "cell")))" }
  }

  /// The builds of the toolkit whose cells are measured again.
  static func rebuilt(_ programs: [ProvenanceSummary.Share]) -> String {
    "the stored cells of this run were measured by \(ProvenanceSummary.line(programs)); this is "
      + "another build, which measures them again"
  }

  /// The number of cells and its factors; if subjects have parts of the plan, which are no factors,
  /// what the plan holds.
  static func size(of sweep: Sweep) -> String {
    let plan = sweep.plan
    let subjects = plan.subjects.map { subject in
      let own = subject.settings
      let axes = (plan.settings.axes.filter { !own.names.contains($0.name) } + own.axes)
        .map { "\($0.values.count) of \($0.name)" }
      return subject.id + (axes.isEmpty ? "" : " (\(axes.joined(separator: " × ")))")
    }
    let inPart = plan.subjects.contains { choice in
      choice.recordings != nil || choice.conditions != nil || choice.scores != nil
    }
    let factors = [
      counted(plan.recordings.count, "recording"),
      counted(plan.conditions?.count ?? 1, "condition"),
      counted(plan.scores.count, "score"),
    ].joined(separator: inPart ? ", " : " × ")
    return "\(counted(sweep.cells.count, "cell")): \(factors)"
      + (inPart ? "; parts of them for " : " × settings of ") + subjects.joined(separator: ", ")
  }

  static func forecast(_ forecast: Forecast, jobs: Int) -> String {
    let counts =
      "\(counted(forecast.cells, "cell")): \(forecast.stored) stored, \(forecast.pending) to compute"
    guard forecast.pending > 0 else { return counts }
    return """
      \(counts)
      about \(ProgressBar.clock(forecast.seconds)) with \(jobs) jobs and \
      \(size(forecast.bytes)) of results, without audio; estimated from \(forecast.basis)
      """
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1_000_000
      ? "\(max(1, bytes / 1000)) kB" : "\(format(Double(bytes) / 1e6, 1)) MB"
  }
}
