import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// Measures the cells that a gate judges.
public struct GateRun: Sendable {
  public let gate: Gate
  public internal(set) var plan: Plan
  public let corpus: Corpus
  public let jobs: Int
  /// Subjects under the ids that the plan names; `nil` for those that the corpus knows.
  let subjects: [any Subject]?

  /// - Parameters:
  ///   - subject: replaces the plan's, of which there must be one.
  ///   - jobs: replaces the gate's.
  ///   - subjects: subjects that no file describes, under the ids that the plan names.
  public init(
    _ gate: Gate, corpus: Corpus, subject: String? = nil, jobs: Int? = nil,
    testing subjects: [any Subject]? = nil
  ) throws {
    var plan = try Plan(reading: gate.planFile, corpusFolder: corpus.folder)
    if let subject {
      let ids = plan.subjects.map(\.id).uniqued()
      guard ids.count == 1 else { throw Refusal.severalSubjects(ids) }
      // Settings that the plan gives its subject apply to the replacement.
      for index in plan.subjects.indices { plan.subjects[index].id = subject }
    }
    // A gate needs all cells, so the plan's time limit does not apply.
    plan.limitSeconds = nil
    (self.gate, self.plan, self.corpus, self.subjects) = (gate, plan, corpus, subjects)
    self.jobs = jobs ?? gate.jobs ?? ProcessInfo.processInfo.activeProcessorCount
  }

  /// - Parameters:
  ///   - anew: true to measure cells again that the store already has.
  ///   - perturbation: inaudible change of every input.
  /// - Throws: a `Refusal` if it was stopped.
  public func measure(
    into store: ResultStore, anew: Bool = true, under perturbation: Perturbation? = nil,
    stop: StopSignal = StopSignal(),
    report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> MeasuredRun {
    var sweep = try Sweep(plan, corpus: corpus, store: store, testing: subjects)
    sweep.measuresAnew = anew
    if let perturbation { try sweep.perturb(by: perturbation) }
    let outcome = try await sweep.run(jobs: jobs, stop: stop, report: report)
    guard outcome.end == .complete else {
      throw Refusal.incomplete(measured: outcome.total - outcome.left.count, of: outcome.total)
    }
    let run = try MeasuredRun(store.run(named: plan.name), in: corpus)
    guard !run.cells.isEmpty else { throw Refusal.noCells(plan: plan.name) }
    return run
  }

  /// The commit of the subject's sources in words; for subjects of choir-eval, its build. It is `nil` outside
  /// of a repository.
  public var commit: String? {
    let files = plan.subjects.compactMap { try? GateReference.file(of: $0.id, in: self) }
    guard let file = files.first else { return Toolkit.current.program }
    guard let repository = try? GitRepository(containing: file),
      let commit = try? repository.commit("HEAD")
    else { return nil }
    let isChanged = (try? repository.changedFiles().isEmpty) == false
    return "commit \(commit.words)" + (isChanged ? ", with uncommitted changes" : "")
  }

  /// True if the subjects can be rendered with another input.
  public var isPerturbable: Bool {
    get throws {
      try (subjects ?? plan.subjects(in: corpus)).allSatisfy {
        PerturbedSubject($0, Perturbation(1)) != nil
      }
    }
  }

  /// Returns a run that keeps the sound of every cell, to listen to and to find the instants of
  /// differences, and measures no cost.
  func keepingSounds() throws -> GateRun {
    var run = self
    run.plan.listen = try plan.resolved(in: corpus).recordings
    run.plan.cost = nil
    return run
  }

  /// Measures into a temporary store.
  public func measureOnce(
    under perturbation: Perturbation? = nil, stop: StopSignal = StopSignal(),
    report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> MeasuredRun {
    let scratch = try ScratchFolder()
    defer { scratch.discard() }
    return try await measure(
      into: ResultStore(scratch.file("once.sqlite")), under: perturbation,
      stop: stop,
      report: report)
  }
}

extension Sweep {
  /// Gives every subject an input with an inaudible change.
  ///
  /// The run keeps its name, so the store must not hold the run with the plain input.
  ///
  /// - Throws: a `Refusal` if a subject's sounds can't be rendered again.
  public mutating func perturb(by perturbation: Perturbation) throws {
    try replaceSubjects { subject in
      guard let perturbed = PerturbedSubject(subject, perturbation) else {
        throw Refusal(
          "'\(subject.id)' was rendered elsewhere, so it can't be given another input; leave "
            + "perturbations out of the gate, or describe the program that renders it")
      }
      return perturbed
    }
  }
}
