import Foundation

/// Two sweeps in one schedule: a cell of each by turns, so that a slow spell of the machine, or its
/// warming up, meets both alike.
extension Sweep {
  /// Runs the pending cells of several sweeps over the same recordings, whose analysis they share.
  ///
  /// - Parameter sweeps: in the order of their turns; none has careful timing.
  /// - Returns: number of cells that were not measured; above 0 if the run was stopped.
  public static func byTurns(
    _ sweeps: [Sweep], jobs: Int, stop: StopSignal = StopSignal(),
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Int {
    guard let first = sweeps.first else { return 0 }
    let own = first.work()
    let works = sweeps.map { own.with($0) }
    let pending = try sweeps.map { try $0.pending() }
    let total = sweeps.reduce(0) { $0 + $1.share.count }
    let turns = interleaved(pending)
    report(.began(total: total, stored: total - turns.count))
    for sweep in sweeps {
      try sweep.store.begin(sweep.plan, sweep.cells, from: .now(of: sweep.subjects.values))
    }
    var begun = 0
    try await withThrowingTaskGroup(of: (Turn, FinishedCell, seconds: Double).self) { group in
      func startNext() {
        guard begun < turns.count, !stop.isRaised else { return }
        let turn = turns[begun]
        begun += 1
        let (sweep, work) = (sweeps[turn.sweep], works[turn.sweep])
        group.addTask {
          report(.started(turn.cell))
          let start = Date()
          let finished = await work.finish(
            turn.cell, keepingSound: sweep.listens(to: turn.cell))
          return (turn, finished, Date().timeIntervalSince(start))
        }
      }
      for _ in 0..<inFlight(jobs) { startNext() }
      while let (turn, finished, seconds) = try await group.next() {
        startNext()
        let sweep = sweeps[turn.sweep]
        try sweep.store.save(
          finished, seconds: seconds, forgettingFailures: sweep.measuresAnew)
        var failure: String?
        if case .failed(let reason) = finished.result.outcome { failure = reason }
        report(.finished(turn.cell, failure: failure))
      }
    }
    guard begun == turns.count else { return turns.count - begun }
    for sweep in sweeps where sweep.share.count == sweep.cells.count {
      try sweep.store.finish(sweep.plan)
    }
    return 0
  }

  /// One cell of one of the sweeps.
  private struct Turn: Sendable {
    var sweep: Int
    var cell: Cell
  }

  /// Returns the first cell of each list, then the second of each, and so on.
  private static func interleaved(_ lists: [[Cell]]) -> [Turn] {
    (0..<(lists.map(\.count).max() ?? 0)).flatMap { position in
      lists.indices.compactMap { sweep in
        lists[sweep].indices.contains(position)
          ? Turn(sweep: sweep, cell: lists[sweep][position]) : nil
      }
    }
  }
}
