import Foundation

/// Several sweeps in one schedule: a cell of each by turns, so that a slow spell of the machine, or its
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
    try await computeInParallel(sweeps.map { ($0, own.with($0)) }, jobs: jobs, report: report) {
      _ in
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
}
