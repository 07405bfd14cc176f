import Corpus
import Foundation
import Platform
import Subjects
import Sweep

/// A gate between the working tree and another revision: both are built by the gate's `build`,
/// measured over the same plan in one schedule, and judged like a run against its baseline.
public struct GateAgainst: Sendable {
  /// Both sides of the comparison, measured.
  public struct Measured: Sendable {
    public var candidate: MeasuredRun
    public var reference: MeasuredRun
    public var side: RevisionSide
    /// True if all cells of the reference were known.
    public var wasMeasured: Bool
    /// True if both sides have the same subject by its content.
    public var isSameProgram: Bool
    /// The stores with the sounds of both sides.
    fileprivate(set) var stores: (candidate: ResultStore, reference: ResultStore)
  }

  public let reference: GateReference
  public let run: GateRun
  private let builds: RevisionBuilds

  /// - Parameter builds: folder of builds; by default the user's cache.
  public init(_ reference: GateReference, run: GateRun, builds: URL? = nil) throws {
    (self.reference, self.run) = (reference, try run.keepingSounds())
    self.builds = try RevisionBuilds(
      of: reference.repository, in: builds ?? RevisionBuilds.defaultFolder)
  }

  /// Builds and measures both sides.
  ///
  /// - Parameters:
  ///   - store: store of the candidate's cells.
  ///   - anew: true to measure cells of the candidate that the store already has.
  public func measure(
    into store: ResultStore, anew: Bool = true, stop: StopSignal = StopSignal(),
    say: @Sendable (String) -> Void = { _ in },
    report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> Measured {
    let isCancelled: @Sendable () -> Bool = { stop.isRaised }
    try reference.buildHere(builds, isCancelled: isCancelled, report: say)
    let side = try reference.side(of: run, builds: builds, isCancelled: isCancelled, report: say)
    var candidate = try Sweep(run.plan, corpus: run.corpus, store: store)
    candidate.measuresAnew = anew
    let kept = try ResultStore(side.store)
    var (sweeps, wasMeasured) = ([candidate], false)
    if side.program != nil {
      say("measuring by choir-eval of \(side.commit.words)")
      _ = try await RevisionBench(run: run, stop: stop).measure(side)
    } else {
      let sweep = try Sweep(side.plan, corpus: run.corpus, store: kept)
      wasMeasured = try sweep.pending().isEmpty
      sweeps = [sweep, candidate]
    }
    let left = try await Sweep.byTurns(sweeps, jobs: run.jobs, stop: stop, report: report)
    // Cells may be left of both sides.
    let all = sweeps.reduce(0) { $0 + $1.share.count }
    guard left == 0 else { throw Refusal.incomplete(measured: all - left, of: all) }
    let name = side.program == nil ? side.plan.name : run.plan.name
    let then = try MeasuredRun(kept.run(named: name), in: run.corpus)
    try refuseFailed(then, side)
    return Measured(
      candidate: try MeasuredRun(store.run(named: run.plan.name), in: run.corpus),
      reference: then, side: side, wasMeasured: wasMeasured,
      isSameProgram: try side.program == nil && versions(run.plan) == versions(side.plan),
      stores: (store, kept))
  }

  private func versions(_ plan: Plan) throws -> [String] {
    try plan.subjects(in: run.corpus).map(\.version)
  }

  /// Measures how far inaudible changes of the input move the reference, if the candidate looks worse.
  ///
  /// - Returns: `nil` if nothing looks worse, or the reference can't be measured under such changes.
  public func noise(
    of measured: Measured, stop: StopSignal = StopSignal(),
    say: (String) -> Void = { _ in },
    report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> GateNoise? {
    let bench = RevisionBench(run: run, stop: stop, report: report)
    guard try judge(measured, noise: nil).isSuspicious(measured.candidate) else { return nil }
    say("the candidate once more, in case its output differs from run to run")
    let again = try await run.measureOnce(stop: stop, report: report)
    let differing = try Acceptance.differingFigures(measured.candidate, again, gate: run.gate)
    var runs: [MeasuredRun] = []
    let changes = try bench.perturbations(of: measured.side, isRandom: differing > 0)
    for perturbation in changes {
      say("inaudible change \(perturbation.number) of the reference")
      runs.append(
        try await MeasuredRun(bench.measure(measured.side, under: perturbation), in: run.corpus))
    }
    guard !runs.isEmpty else { return nil }
    return GateNoise(runs, of: run.gate.comparedMetrics, differingFigures: differing)
  }

  private func refuseFailed(_ run: MeasuredRun, _ side: RevisionSide) throws {
    guard run.cells.allSatisfy({ $0.failure != nil }) else { return }
    throw Refusal.referenceFailed(
      commit: side.commit.words, reason: run.cells.first?.failure ?? "the plan has no cells")
  }

  /// Judges the candidate by the reference.
  ///
  /// - Parameters:
  ///   - takes: the candidate under the perturbations of `noise`.
  ///   - costs: findings of cost, measured by turns.
  ///   - benches: answers of both sides to sounds that are no voice; `nil` if not compared.
  public func result(
    of measured: Measured, takes: [MeasuredRun] = [], noise: GateNoise?, explainOptions: String,
    costs: [CostFinding] = [], benches: (candidate: GateBench, reference: GateBench)? = nil
  ) throws -> GateResult {
    var result = try judge(measured, noise: noise, explainOptions: explainOptions)
      .result(
        of: measured.candidate, takes: takes, costs: costs,
        bench: benches.map { ($0.candidate, $0.reference) })
    // Nothing looked worse, so noise was not asked for.
    result.knowsNoise = noise != nil || result.causes.isEmpty
    let then = measured.reference.cells.keyed(by: \.address)
    result.findings += measured.candidate.cells.compactMap { cell in
      guard cell.failure == nil, let failure = then[cell.address]?.failure else { return nil }
      return GateFinding(
        .improvement, "\(cell.address)",
        "failed in the revision \(measured.side.commit.short): \(failure)")
    }
    if benches == nil, run.gate.bench, measured.side.program != nil {
      result.findings.append(
        GateFinding(
          .note, "bench",
          "choir-eval of the revision has no bench, so answers to sounds that are no voice are not "
            + "compared"))
    }
    result.baselineFile = run.gate.url.relativePath
    result.against = GateResult.Against(
      name: reference.name, commit: measured.side.commit, wasBuilt: measured.side.wasBuilt,
      wasMeasured: measured.wasMeasured,
      sounds: result.comparison.map {
        DifferingInstants.all(
          of: $0, baseline: (measured.stores.reference, measured.reference.cells),
          candidate: (measured.stores.candidate, measured.candidate.cells))
      } ?? [])
    return result
  }

  private func judge(
    _ measured: Measured, noise: GateNoise?, explainOptions: String = ""
  ) throws -> GateJudge {
    let baseline = try Baseline(
      cells: measured.reference.cells, provenance: measured.reference.provenance,
      reason: reference.name)
    return GateJudge(run.gate, baseline: baseline, noise: noise, explainOptions: explainOptions)
  }

  /// Compares the cost of both sides by turns.
  public func costFindings(
    _ measured: Measured, options: [String], report: (String) -> Void = { _ in }
  ) throws -> [CostFinding] {
    let costs = try run.costRun(apart: measured.side.program != nil, options: options)
    let side = measured.side
    if let program = side.program {
      return costs.findings(
        against: ProgramSide(program.path, running: side.subject, in: run.corpus.folder),
        option: "--baseline \(program.path.forShell)", report: report)
    }
    return costs.findings(
      against: try SubjectSide(side.subject, in: run.corpus.folder),
      option: "--baseline \(side.subject.forShell)", report: report)
  }
}
