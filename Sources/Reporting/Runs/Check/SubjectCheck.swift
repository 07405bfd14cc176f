import Metrics
import Platform
import Probes
import Statistics
import Subjects
import Sweep
import Tuning

/// The answer of `check`: headline figures of one subject beside published peers and budgets.
package struct SubjectCheck: Encodable, Sendable {
  package enum Outcome: String, Encodable, Sendable {
    case met, exceeded
    /// No figure shows whether the budget is met.
    case unknown
  }

  /// A budget with its outcome.
  package struct Budget: Encodable, Sendable {
    package let limit: Double
    package let outcome: Outcome
    /// The reason for an unknown outcome, or the value that counted if it is not the row's.
    package let note: String?
  }

  /// One headline figure.
  package struct Row: Encodable, Sendable {
    package let figure: CheckFigure
    package let unit: String
    /// Median over recordings.
    @NullIfMissing package var value: Double?
    package let recordings: Int
    @NullIfMissing package var grade: QualityScale.Grade?
    @NullIfMissing package var peers: PeerRange?
    @NullIfMissing package var budget: Budget?
  }

  package private(set) var schema = "choir-eval.check/1"
  package let subject: CheckedSubject
  /// Outcome of the test tone; `nil` for a folder.
  package let trial: SubjectTrial?
  package let rows: [Row]
  /// Findings on the bench.
  package let findings: [ProbeFinding]
  package let gaps: [CheckGap]
  /// Cells that failed, with their reasons.
  package let failures: [String]
  package private(set) var peerConditions = Peers.conditions

  /// - Parameters:
  ///   - run: a run of this subject alone.
  ///   - budgets: limits in the units of the figures.
  package init(
    of subject: CheckedSubject, trial: SubjectTrial?, run: StoredRun, findings: [ProbeFinding],
    budgets: [CheckFigure: Double]
  ) {
    (self.subject, self.trial, self.findings) = (subject, trial, findings)
    var undefined: [(CheckFigure, Undefined)] = []
    let impulses = run.cells.flatMap { $0.measurements(of: "latency.impulse") }
    let impulseMs = Statistics.median(impulses.compactMap(\.outcome.number))
    rows = CheckFigure.allCases.map { figure in
      let found = figure.median(of: run.cells)
      if found == nil { undefined.append((figure, Self.reason(figure, run.cells))) }
      return Row(
        figure: figure, unit: figure.unit, value: found?.value, recordings: found?.recordings ?? 0,
        grade: found.flatMap { Self.grade($0.value, figure, subject) }, peers: PeerRange(figure),
        budget: budgets[figure].map { Self.budget($0, figure, found, impulseMs, subject) })
    }
    gaps = CheckGap.all(
      of: subject, undefined: undefined, findings: findings, failedCells: run.failures.count)
    failures = run.failures.map { "\($0.recording): \($0.reason)" }
  }

  /// True if any figure has a value.
  package var isMeasured: Bool { rows.contains { $0.value != nil } }

  /// Returns the figures whose budget has an outcome.
  package func figures(_ outcome: Outcome) -> [CheckFigure] {
    rows.filter { $0.budget?.outcome == outcome }.map(\.figure)
  }

  /// Returns the grade. A file may be early without being good: its program may have removed its delay.
  private static func grade(
    _ value: Double, _ figure: CheckFigure, _ subject: CheckedSubject
  ) -> QualityScale.Grade? {
    let grade = figure.grade(value)
    return figure == .latency && subject.takesWholeFiles && grade != .poor ? nil : grade
  }

  /// Judges a budget. Impulses decide what alignment leaves open. A file may lie about latency in one
  /// direction only: a program can remove its delay and can't sound before it.
  private static func budget(
    _ limit: Double, _ figure: CheckFigure, _ found: CheckFigure.Median?, _ impulseMs: Double?,
    _ subject: CheckedSubject
  ) -> Budget {
    guard let found, case let value = found.value else {
      return Budget(limit: limit, outcome: .unknown, note: "not measured")
    }
    guard figure == .latency else {
      let isMet = figure.moreIsBetter ? value >= limit : value <= limit
      return Budget(limit: limit, outcome: isMet ? .met : .exceeded, note: nil)
    }
    var (measured, note) = (abs(value), String?.none)
    if found.metric == "latency.alignment", abs(measured - limit) < CellResult.delayErrorMs {
      let error = "alignment errs by up to \(NumberStyle.setting.text(CellResult.delayErrorMs)) ms"
      guard let impulseMs else {
        return Budget(
          limit: limit, outcome: .unknown,
          note: "\(error); add the recording probe-impulses to the plan")
      }
      measured = abs(impulseMs)
      note = "the \(NumberStyle.significant(3).text(measured)) ms of impulses count: \(error)"
    }
    if measured > limit { return Budget(limit: limit, outcome: .exceeded, note: note) }
    guard subject.takesWholeFiles else { return Budget(limit: limit, outcome: .met, note: note) }
    guard let stated = subject.statedLatencyMs else {
      return Budget(
        limit: limit, outcome: .unknown,
        note: "files may hide the program's delay; state latencyMs, or describe it as a stream")
    }
    return Budget(
      limit: limit, outcome: stated <= limit ? .met : .exceeded,
      note: "the stated \(NumberStyle.setting.text(stated)) ms counts")
  }

  /// Returns the most frequent reason for a figure without a value.
  private static func reason(_ figure: CheckFigure, _ cells: [CellResult]) -> Undefined {
    var counts: [Undefined.Code: (count: Int, example: Undefined)] = [:]
    for cell in cells where !cell.isProbe {
      for metric in figure.metrics {
        for case .undefined(let reason) in cell.measurements(of: metric).map(\.outcome) {
          counts[reason.code, default: (0, reason)].count += 1
        }
      }
    }
    let most = counts.max { ($0.value.count, $1.key.rawValue) < ($1.value.count, $0.key.rawValue) }
    return most?.value.example ?? Undefined(.notMeasured, "no cell measured it")
  }
}
