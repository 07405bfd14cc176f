import Foundation
import Platform
import Subjects
import Sweep

/// Measures the cells of built revisions. Everything measured is kept beside the build's cells, so the
/// next comparison with the same build finds it.
struct RevisionBench: Sendable {
  let run: GateRun
  var stop = StopSignal()
  var report: @Sendable (Sweep.Event) -> Void = { _ in }

  /// Measures a revision.
  ///
  /// - Parameters:
  ///   - place: the only cell to measure; by default all. A program of its own measures all.
  ///   - perturbation: inaudible change of every input.
  func measure(
    _ side: RevisionSide, at place: CellAddress? = nil, under perturbation: Perturbation? = nil
  ) async throws -> StoredRun {
    let stop = stop
    let file = side.store(under: perturbation)
    if let program = side.ownProgram {
      try program.refuseOtherMetrics(than: run.gate.comparedMetrics)
      var plan = try run.plan.resolved(in: run.corpus)
      (plan.tier, plan.filter) = (nil, nil)
      if perturbation != nil { plan.listen = nil }
      return try program.run(
        plan, corpus: run.corpus.folder, store: file, jobs: run.jobs, under: perturbation,
        isCancelled: { stop.isRaised })
    }
    let store = try ResultStore(file)
    var plan = side.plan
    // Perturbed sounds are not there to listen to.
    if perturbation != nil { plan.listen = nil }
    var sweep = try Sweep(plan, corpus: run.corpus, store: store)
    if let place { sweep.share = sweep.cells.filter { CellAddress(of: $0) == place } }
    if let perturbation { try sweep.perturb(by: perturbation) }
    let left = try await Sweep.byTurns([sweep], jobs: run.jobs, stop: stop, report: report)
    guard left == 0 else {
      throw Refusal.incomplete(measured: sweep.share.count - left, of: sweep.share.count)
    }
    return try store.run(named: plan.name)
  }

  /// Returns all cells of a revision, or only one.
  func cells(
    of side: RevisionSide, at place: CellAddress? = nil, under perturbation: Perturbation? = nil
  ) async throws -> [ComparedCell] {
    try await measure(side, at: place, under: perturbation)
      .comparedCells(ignoring: [SettingSummary.subjectAxis])
      .filter { place == nil || $0.address == place }
  }

  /// Perturbations under which a revision can be measured; none if its sounds were rendered elsewhere,
  /// or its own program is too old to know them.
  func perturbations(of side: RevisionSide, isRandom: Bool) throws -> [Perturbation] {
    guard try side.ownProgram?.knowsPerturbations ?? run.isPerturbable else { return [] }
    return run.gate.perturbationsToMeasure(after: nil, isRandom: isRandom)
  }

  /// Measures all cells of a revision as they are and under its perturbations.
  func takes(of side: RevisionSide) async throws -> Takes {
    let cells = try await cells(of: side)
    var runs: [[ComparedCell]] = []
    for perturbation in try perturbations(of: side, isRandom: false) {
      runs.append(try await self.cells(of: side, under: perturbation))
    }
    return Takes(cells, runs: runs)
  }
}

extension CellAddress {
  /// The address of a cell whose subject is ignored.
  fileprivate init(of cell: Cell) {
    self.init(
      recording: cell.recording.id, condition: cell.condition.canonical, score: cell.score.id,
      configuration: cell.settings.canonical)
  }
}
