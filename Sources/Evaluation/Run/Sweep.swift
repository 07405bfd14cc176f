import Foundation

/// Runs the cells of a plan that the store doesn't have yet.
public struct Sweep: Sendable {
  /// What happens, for whoever shows progress.
  public enum Event: Sendable {
    /// Before anything runs: cells in all, and those that were there.
    case began(total: Int, stored: Int)
    case finished(Cell, failure: String?)
  }

  /// What came of it.
  public struct Outcome: Equatable, Sendable {
    public var total: Int
    public var stored: Int
    public var computed: Int
    public var failed: [String]
  }

  public let plan: Plan
  public let cells: [Cell]
  private let corpus: Corpus
  private let store: ResultStore

  /// Checks the whole plan; nothing runs yet.
  public init(_ plan: Plan, corpus: Corpus, store: ResultStore) throws {
    self.plan = try plan.resolved(in: corpus)
    self.corpus = corpus
    self.store = store
    cells = try self.plan.cells(in: corpus)
  }

  /// The cells that are not in the store, or whose sound is to be kept and isn't there.
  public func pending() throws -> [Cell] {
    let measured = try store.measuredKeys()
    return cells.filter { cell in
      !measured.contains(cell.key) || listens(to: cell) && store.soundFile(of: cell.key) == nil
    }
  }

  /// - Parameter jobs: cells at work at once.
  public func run(
    jobs: Int, report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Outcome {
    let pending = try pending()
    let subject = try Subjects.subject(id: plan.subject, in: corpus.subjectsFolder)
    let work = CellWork(corpus: corpus, subject: subject, sounds: store.sounds)
    report(.began(total: cells.count, stored: cells.count - pending.count))
    try store.begin(plan, cells)
    var failed: [String] = []
    try await withThrowingTaskGroup(of: (Cell, FinishedCell).self) { group in
      var waiting = pending.makeIterator()
      func startNext() {
        guard let cell = waiting.next() else { return }
        group.addTask { (cell, await work.finish(cell, keepingSound: listens(to: cell))) }
      }
      for _ in 0..<max(1, jobs) { startNext() }
      while let (cell, finished) = try await group.next() {
        startNext()
        try store.save(finished)
        var failure: String?
        if case .failed(let reason) = finished.result.outcome {
          failure = reason
          failed.append("\(cell.label): \(reason)")
        }
        report(.finished(cell, failure: failure))
      }
    }
    try store.finish(plan)
    return Outcome(
      total: cells.count, stored: cells.count - pending.count, computed: pending.count,
      failed: failed)
  }

  private func listens(to cell: Cell) -> Bool {
    plan.listen?.contains(cell.recording.id) ?? false
  }
}
