import Foundation

extension Sweep {
  /// One cell of one of several sweeps.
  struct Turn: Sendable {
    var sweep: Int
    var cell: Cell
  }

  /// Computes cells of one or several sweeps in parallel, and stores each as soon as it is there.
  ///
  /// - Parameters:
  ///   - next: returns the cell to start beside those that are running; `nil` to wait for these.
  ///   - note: called with each cell, the reason why it failed, and its time.
  static func computeInParallel(
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
        try sweep.store.save(finished, seconds: seconds, forgettingFailures: sweep.measuresAnew)
        if !finished.result.remarks.isEmpty {
          report(.wrote(subject: turn.cell.subjectID, finished.result.remarks))
        }
        report(.finished(turn.cell, failure: failure))
      }
    }
  }
}
