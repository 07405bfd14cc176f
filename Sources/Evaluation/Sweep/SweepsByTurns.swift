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
    let turns = interleaved(try sweeps.map { try $0.pending() })
    let total = sweeps.reduce(0) { $0 + $1.share.count }
    report(.began(total: total, stored: total - turns.count))
    for sweep in sweeps {
      try sweep.store.begin(sweep.plan, sweep.cells, from: .now(of: sweep.subjects.values))
    }
    var waiting = turns[...]
    try await finish(sweeps.map { ($0, own.with($0)) }, jobs: jobs, report: report) { _ in
      stop.isRaised ? nil : waiting.popFirst()
    } noting: { _, _ in
    }
    guard waiting.isEmpty else { return waiting.count }
    for sweep in sweeps where sweep.share.count == sweep.cells.count {
      try sweep.store.finish(sweep.plan)
    }
    return 0
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

  /// One cell of one of several sweeps.
  struct Turn: Sendable {
    var sweep: Int
    var cell: Cell
  }

  /// Finishes cells of several sweeps in parallel and stores them.
  ///
  /// - Parameters:
  ///   - next: returns the cell to start beside those that are running; `nil` to wait for these.
  ///   - note: called with each cell, the reason why it failed, and its time.
  static func finish(
    _ sweeps: [(sweep: Sweep, work: CellWork)], jobs: Int,
    report: @escaping @Sendable (Event) -> Void, next: (_ running: [Turn]) -> Turn?,
    noting note: (_ finished: (cell: Cell, failure: String?), _ seconds: Double) -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: (Turn, FinishedCell, seconds: Double).self) { group in
      var running: [Turn] = []
      func fill() {
        while running.count < inFlight(jobs), let turn = next(running) {
          running.append(turn)
          let (sweep, work) = sweeps[turn.sweep]
          group.addTask {
            report(.started(turn.cell))
            let start = Date()
            let finished = await work.finish(turn.cell, keepingSound: sweep.listens(to: turn.cell))
            return (turn, finished, Date().timeIntervalSince(start))
          }
        }
      }
      fill()
      while let (turn, finished, seconds) = try await group.next() {
        var failure: String?
        if case .failed(let reason) = finished.result.outcome { failure = reason }
        note((turn.cell, failure), seconds)
        running.removeAll { $0.sweep == turn.sweep && $0.cell.key == turn.cell.key }
        fill()
        let sweep = sweeps[turn.sweep].sweep
        try sweep.store.save(
          finished, seconds: seconds, forgettingFailures: sweep.measuresAnew)
        if !finished.result.remarks.isEmpty {
          report(.wrote(subject: turn.cell.subjectID, finished.result.remarks))
        }
        report(.finished(turn.cell, failure: failure))
      }
    }
  }
}
