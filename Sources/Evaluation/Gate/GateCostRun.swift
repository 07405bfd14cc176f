import Corpus
import Foundation
import Metrics
import Platform
import Sweep

/// Compares the cost of a gate's subject with a baseline, setting by setting.
public struct GateCostRun {
  public let cost: GateCost
  public let settings: [SubjectSettings]
  private let candidate: any CostSide
  private let trial: CostTrial
  /// Start of the command that repeats the comparison, before the settings.
  private let repeating: String

  /// - Parameters:
  ///   - settings: settings to compare if the gate names none.
  ///   - command: command that repeats the comparison, without settings and baseline.
  public init(
    _ cost: GateCost, settings: [SubjectSettings], of candidate: any CostSide, command: String
  ) throws {
    (self.cost, self.candidate) = (cost, candidate)
    self.settings = cost.settings.isEmpty ? settings : cost.settings
    trial = try CostTrial(cost.trial)
    repeating = command
  }

  /// Returns a finding for each setting, also for one that can't be measured.
  ///
  /// - Parameters:
  ///   - side: a program or subject, measured in turns with the candidate.
  ///   - option: the side as an option of the command that repeats the comparison.
  ///   - report: called before each setting.
  public func findings(
    against side: any CostSide, option: String, report: (String) -> Void = { _ in }
  ) -> [CostFinding] {
    settings.map { settings in
      report("cost · \(settings.canonical)")
      let words = [repeating] + settings.asOptions().map(\.forShell) + [option]
      var finding = CostFinding(
        configuration: settings.canonical, against: side.words,
        command: words.joined(separator: " "))
      do {
        finding.comparison = try trial.compare(
          baseline: side.rounds(settings), candidate: candidate.rounds(settings))
      } catch { finding.problem = "\(error)" }
      return finding
    }
  }

}

extension GateRun {
  /// Prepares the comparison of the subject's cost.
  ///
  /// - Parameters:
  ///   - apart: true to run the subject in its own process, like that of another program, so that
  ///     only the build differs.
  ///   - options: options of the command that repeats the comparison, after the subject.
  /// - Throws: if the plan has several subjects, or too many settings without a choice in the gate.
  public func costRun(apart: Bool = false, options: [String] = []) throws -> GateCostRun {
    let ids = plan.subjects.map(\.id).uniqued()
    guard ids.count == 1, let id = ids.first else { throw Refusal.severalSubjects(ids) }
    let cost = gate.cost ?? GateCost()
    let own = try SubjectSide(id, in: corpus.folder)
    if apart { try own.requireOwn() }
    return try GateCostRun(
      cost, settings: cost.settings.isEmpty ? triedSettings() : [],
      of: apart ? ProgramSide(SelfProcess.path, running: id, in: corpus.folder) : own,
      command: (["choir-eval", "probe", id, "--only", "cost"] + options).map(\.forShell).joined(
        separator: " "))
  }

  /// Returns the distinct settings of the plan.
  private func triedSettings() throws -> [SubjectSettings] {
    let tried = try plan.resolved(in: corpus).cells(in: corpus).map(\.subjectSettings).uniqued()
    guard tried.count <= GateCost.maxUnnamed else {
      throw Refusal(
        "the plan has \(tried.count) settings, and the cost of each takes seconds; choose some in "
          + "\(gate.url.relativePath): cost: {settings: [...]}")
    }
    return tried
  }
}
