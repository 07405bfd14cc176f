import Corpus
import Foundation
import Metrics
import Platform
import Sweep

/// Compares the cost of a gate's subject with a baseline, setting by setting.
public struct GateCostRun {
  public enum Reference {
    /// A program or subject, measured in turns with the candidate.
    case side(any CostSide, option: String)
    /// Accepted costs; `nil` if the baseline has none.
    case kept(BaselineCosts?, file: String)
  }

  public let cost: GateCost
  public let settings: [SubjectSettings]
  private let candidate: any CostSide
  private let trial: CostTrial
  /// Start of the command that repeats the comparison, before the settings.
  private let repeating: String
  /// The gate's file, for error messages.
  private let gate: String

  /// - Parameters:
  ///   - settings: settings to compare if the gate names none.
  ///   - command: command that repeats the comparison, without settings and baseline.
  ///   - workload: calibration workload; by default that of this package.
  public init(
    _ cost: GateCost, settings: [SubjectSettings], of candidate: any CostSide, command: String,
    gate: String, workload: (any CostRounds)? = nil
  ) throws {
    (self.cost, self.candidate, self.gate) = (cost, candidate, gate)
    self.settings = cost.settings.isEmpty ? settings : cost.settings
    trial = try CostTrial(cost.trial, workload: workload)
    let isCounted = cost.by == .instructions
    repeating = command + (isCounted ? " --cost instructions" : "")
  }

  /// Returns a finding for each setting, also for one that can't be measured.
  ///
  /// - Parameter report: called before each setting.
  public func findings(
    against baseline: Reference, report: (String) -> Void = { _ in }
  ) -> [CostFinding] {
    settings.map { settings in
      report("cost · \(settings.canonical)")
      var finding = blank(settings, baseline)
      do {
        switch baseline {
        case .side(let side, _): finding.comparison = try compare(side, settings)
        case .kept(let kept, _):
          finding.isForeign = kept.map { $0.machine != MachineClass.here } ?? false
          finding.comparison = try compare(kept, settings)
        }
      } catch { finding.problem = "\(error)" }
      return finding
    }
  }

  /// Measures the present costs of all settings.
  public func measure(report: (String) -> Void = { _ in }) throws -> BaselineCosts {
    var kept = BaselineCosts()
    for settings in settings {
      report("cost · \(settings.canonical)")
      switch cost.by {
      case .time: kept.keep(try trial.calibrated(candidate.rounds(settings)), settings)
      case .instructions: kept.keep(try candidate.instructions(settings), settings)
      }
    }
    return kept
  }

  // MARK: - One setting

  private func compare(
    _ side: any CostSide, _ settings: SubjectSettings
  ) throws -> CostComparison {
    switch cost.by {
    case .time:
      try trial.compare(
        baseline: side.rounds(settings), candidate: candidate.rounds(settings))
    case .instructions:
      try candidate.instructions(settings).comparison(
        to: side.instructions(settings), minimumEffect: cost.trial.minimumEffect)
    }
  }

  private func compare(_ kept: BaselineCosts?, _ settings: SubjectSettings) throws -> CostComparison
  {
    let lacks = GateError.noCost(gate: gate)
    guard let kept else { throw lacks }
    switch cost.by {
    case .time:
      guard let baseline = kept.time(settings) else { throw lacks }
      return try trial.compare(baseline: baseline, candidate: candidate.rounds(settings))
    case .instructions:
      guard let baseline = kept.instructions(settings) else { throw lacks }
      return try candidate.instructions(settings).comparison(
        to: baseline, minimumEffect: kept.minCounted(cost.trial))
    }
  }

  private func blank(_ settings: SubjectSettings, _ baseline: Reference) -> CostFinding {
    var words = [repeating] + settings.asOptions().map(\.forShell)
    let against: String
    var key: FigureKey?
    switch baseline {
    case .side(let side, let option):
      against = side.words
      words.append(option)
    case .kept(let kept, let file):
      against = "\(file)" + (kept.map { " (\($0.machine))" } ?? "")
      key = BaselineCosts.key(cost.by, settings)
    }
    return CostFinding(
      measure: cost.by, configuration: settings.canonical, against: against, isForeign: false,
      command: words.joined(separator: " "), key: key)
  }
}

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
    guard tried.count <= GateCost.maxUnnamed else {
      throw GateError.severalSettings(tried.count, gate: gate.url.relativePath)
    }
    return tried
  }
}
