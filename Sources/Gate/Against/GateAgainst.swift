import Corpus
import Files
import Foundation
import Revisions
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
    /// The stores with the sounds of both sides.
    fileprivate(set) var stores: (candidate: ResultStore, reference: ResultStore)
  }

  public let reference: GateReference
  public let run: GateRun
  private let builds: RevisionBuilds

  /// - Parameter builds: folder of builds; by default the user's cache.
  public init(_ reference: GateReference, run: GateRun, builds: URL? = nil) throws {
    self.reference = reference
    var run = run
    // Both sides are kept to listen to, and the instants of their differences are found.
    run.plan.listen = try run.plan.resolved(in: run.corpus).recordings
    run.plan.cost = nil
    self.run = run
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
    var (left, wasMeasured) = (0, false)
    if let program = side.program {
      let other = RevisionProgram(path: program, commit: side.commit.short)
      try other.refuseOtherMetrics(than: run.gate.comparedMetrics)
      say("measuring by choir-eval of \(side.commit.words)")
      try other.run(
        run.gate.planFile, subject: side.subject, corpus: run.corpus.folder, store: side.store,
        jobs: run.jobs, isCancelled: isCancelled)
      left = try await Sweep.byTurns([candidate], jobs: run.jobs, stop: stop, report: report)
    } else {
      let sweep = try Sweep(side.plan, corpus: run.corpus, store: kept)
      wasMeasured = try sweep.pending().isEmpty
      left = try await Sweep.byTurns(
        [sweep, candidate], jobs: run.jobs, stop: stop, report: report)
    }
    guard left == 0 else {
      throw GateError.incomplete(measured: candidate.cells.count - left, of: candidate.cells.count)
    }
    let name = side.program == nil ? side.plan.name : run.plan.name
    let then = try MeasuredRun(kept.run(named: name), in: run.corpus)
    try refuseFailed(then, side)
    return Measured(
      candidate: try MeasuredRun(store.run(named: run.plan.name), in: run.corpus),
      reference: then, side: side, wasMeasured: wasMeasured, stores: (store, kept))
  }

  private func refuseFailed(_ run: MeasuredRun, _ side: RevisionSide) throws {
    guard run.cells.allSatisfy({ $0.failure != nil }) else { return }
    throw AgainstError.referenceFailed(
      commit: side.commit.words, reason: run.cells.first?.failure ?? "the plan has no cells")
  }

  /// Judges the candidate by the reference.
  ///
  /// - Parameter costs: findings of cost, measured by turns.
  public func result(
    of measured: Measured, noise: GateNoise?, explainOptions: String, costs: [CostFinding] = []
  ) throws -> GateResult {
    let cells = measured.reference.cells
    let baseline = try Baseline(
      cells: cells, provenance: measured.reference.provenance, reason: reference.name)
    let judge = GateJudge(
      run.gate, baseline: baseline, noise: noise, explainOptions: explainOptions)
    var result = try judge.result(of: measured.candidate, costs: costs)
    let failed = Dictionary(
      cells.compactMap { cell in cell.failure.map { (cell.address, $0) } }
    ) { first, _ in first }
    let repaired = measured.candidate.cells.filter { cell in
      cell.failure == nil && failed[cell.address] != nil
    }
    result.findings += repaired.map {
      GateFinding(
        .improvement, "\($0.address)",
        "failed in the revision \(measured.side.commit.short): \(failed[$0.address]!)")
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

  /// Compares the cost of both sides by turns.
  public func costFindings(
    _ measured: Measured, by measure: GateCost.Measure?, options: [String],
    report: (String) -> Void = { _ in }
  ) throws -> [CostFinding] {
    let costs = try run.costRun(
      by: measure, apart: measured.side.program != nil, options: options)
    let other: GateCostRun.Reference
    if let program = measured.side.program {
      other = .side(
        ProgramSide(program.path, running: measured.side.subject, in: run.corpus.folder),
        option: "--baseline-program \(program.path)")
    } else {
      other = .side(
        try SubjectSide(measured.side.subject, in: run.corpus.folder),
        option: "--baseline-subject \(measured.side.subject)")
    }
    return costs.findings(against: other, report: report)
  }
}
