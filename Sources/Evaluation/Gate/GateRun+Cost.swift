import Corpus
import Metrics
import Platform
import Sweep

extension GateRun {
  /// Prepares the comparison of the subject's cost.
  ///
  /// - Parameters:
  ///   - measure: replaces the gate's.
  ///   - apart: true to run the subject in its own process, like that of another program, so that
  ///     only the build differs.
  ///   - options: options of the command that repeats the comparison, after the subject.
  /// - Throws: if the plan has several subjects, or too many settings without a choice in the gate.
  public func costRun(
    by measure: GateCost.Measure? = nil, apart: Bool = false, options: [String] = []
  ) throws -> GateCostRun {
    let ids = plan.subjects.map(\.id).uniqued()
    guard ids.count == 1, let id = ids.first else { throw GateError.severalSubjects(ids) }
    var cost = gate.cost ?? GateCost()
    cost.by = measure ?? cost.by
    let own = try SubjectSide(id, in: corpus.folder)
    if apart { try own.requireOwn() }
    return try GateCostRun(
      cost, settings: cost.settings.isEmpty ? triedSettings() : [],
      of: apart ? ProgramSide(SelfProcess.path, running: id, in: corpus.folder) : own,
      command: (["choir-eval", "probe", id, "--only", "cost"] + options).map(\.forShell).joined(
        separator: " "),
      gate: gate.url.relativePath)
  }

  /// Returns the distinct settings of the plan.
  private func triedSettings() throws -> [SubjectSettings] {
    let tried = try plan.resolved(in: corpus).cells(in: corpus).map(\.subjectSettings).uniqued()
    guard tried.count <= GateCost.mostUnnamed else {
      throw GateError.severalSettings(tried.count, gate: gate.url.relativePath)
    }
    return tried
  }
}
