import Corpus
import Cost
import Files
import Sweep

extension GateRun {
  /// How the cost of the gate's subject is compared.
  ///
  /// - Parameters:
  ///   - measure: in place of the gate's.
  ///   - apart: whether the subject works in a process of its own, as that of another program does, so
  ///     that nothing but the build differs.
  ///   - options: of a command that does the same again, behind the subject.
  /// - Throws: where the plan has several subjects, or more settings than are compared unnamed.
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
      command: (["choir-eval cost", id] + options).joined(separator: " "),
      gate: gate.url.relativePath)
  }

  /// What the plan tries, each set of settings once.
  private func triedSettings() throws -> [SubjectSettings] {
    let tried = try plan.cells(in: corpus).map(\.subjectSettings).uniqued()
    guard tried.count <= GateCost.mostUnnamed else {
      throw GateError.severalSettings(tried.count, gate: gate.url.relativePath)
    }
    return tried
  }
}
