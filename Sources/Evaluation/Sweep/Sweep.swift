import Corpus
import Foundation
import Subjects
import Synchronization

/// Runs the cells of a plan that the store does not have yet.
public struct Sweep: Sendable {
  /// A progress event.
  public enum Event: Sendable {
    /// Cells of the stored run of this name that other builds of the toolkit measured, and which are
    /// measured again.
    case rebuilt([ProvenanceSummary.Share])
    /// Start of the run, with the number of all cells and of those already stored.
    case began(total: Int, stored: Int)
    case started(Cell)
    case finished(Cell, failure: String?)
    /// A program of a subject succeeded, but wrote lines to standard error.
    case wrote(subject: String, [String])
    /// Start of careful timing, with the total number of renderings.
    case costBegan(total: Int)
    case costFinished(Cell)
  }

  /// The result of a sweep.
  public struct Outcome: Equatable, Sendable {
    public var total: Int
    public var stored: Int
    public var computed: Int
    /// Cells that failed, now or at an earlier attempt with the same input and settings.
    public var failed: [String]
    /// Cells that were not started; `end` says why.
    public var left: [Cell] = []
    public var end = End.complete
    /// Time spent; ignored by `==`.
    public var time = Time()

    public static func == (a: Outcome, b: Outcome) -> Bool {
      (a.total, a.stored, a.computed, a.failed, a.end)
        == (b.total, b.stored, b.computed, b.failed, b.end) && a.left == b.left
    }
  }

  public enum End: Equatable, Sendable { case complete, outOfTime, stopped }

  /// Processor seconds, except for `clock`.
  public struct Time: Equatable, Sendable {
    public var clock = 0.0
    public var subject = 0.0
    public var judges = 0.0
    /// Time of this process and its children since the sweep began.
    public var all = 0.0

    /// Share of the time outside the subject and the analysis.
    public var overhead: Double? { all > 0 ? max(0, 1 - (subject + judges) / all) : nil }
  }

  /// Number of timings of each cell if the plan's cost is `careful`.
  public static let costRounds = 5

  public let plan: Plan
  /// Cells of the whole plan.
  public package(set) var cells: [Cell]
  /// Cells that this machine runs.
  public package(set) var share: [Cell]
  /// True to measure stored cells again, and to forget that they failed.
  public var measuresAnew = false
  /// Keys of cells to leave as they are, such as those that failed before in the same search.
  package var skipped: Set<String> = []
  let corpus: Corpus
  let store: ResultStore
  /// The subject of each of the plan's choices.
  private var chosen: [any Subject]

  /// Subjects by id.
  var subjects: [String: any Subject] {
    chosen.keyed(by: \.id)
  }

  /// Keys of the first cell of every program, which is rendered twice. Subjects of this package repeat to the bit.
  var repeated: Set<String> {
    let subjects = subjects
    var known: Set<String> = []
    let first = cells.filter { known.insert($0.subjectID).inserted }
    return Set(
      first.filter { cell in
        subjects[cell.subjectID].map { $0.external != nil && !$0.wasRenderedElsewhere } ?? false
      }.map(\.key))
  }

  /// Warnings of the subjects, to show before the run.
  public var warnings: [String] {
    subjects.sorted { $0.key < $1.key }.flatMap(\.value.warnings)
  }

  /// Checks the whole plan without running anything.
  ///
  /// - Parameter tested: subjects under the ids that the plan names; by default those that the corpus
  ///   knows.
  public init(
    _ plan: Plan, corpus: Corpus, store: ResultStore, shard: Shard? = nil,
    testing tested: [any Subject]? = nil
  ) throws {
    self.plan = try plan.resolved(in: corpus)
    self.corpus = corpus
    self.store = store
    chosen = try tested ?? self.plan.subjects(in: corpus)
    let cells = try self.plan.cells(in: corpus, of: chosen)
    self.cells = cells
    share = shard.map { Array($0.part(of: cells)) } ?? cells
  }

  /// Replaces every subject by another that renders in its place, under the same id.
  package mutating func replaceSubjects(_ replacement: (any Subject) throws -> any Subject) throws {
    chosen = try chosen.map(replacement)
    let keys = Set(share.map(\.key))
    let replaced = zip(cells, try plan.cells(in: corpus, of: chosen))
    share = replaced.filter { keys.contains($0.0.key) }.map(\.1)
    cells = replaced.map(\.1)
  }

  /// Returns the cells that are not stored, or whose sound is to be kept and is missing.
  public func pending() throws -> [Cell] {
    let open = share.filter { !skipped.contains($0.key) }
    if measuresAnew { return open }
    let measured = try store.measuredKeys()
    return open.filter { cell in
      !measured.contains(cell.key) || listens(to: cell) && store.soundFile(of: cell.key) == nil
    }
  }

  /// Returns true if a run would measure nothing: the store has every cell, each timing of a
  /// careful cost, and a run of this name with these cells.
  public func isStored() throws -> Bool {
    guard try pending().isEmpty, try store.hasRun(plan.name, with: cells) else { return false }
    guard plan.cost == .careful else { return true }
    let rounds = try store.costRounds()
    return share.allSatisfy { rounds[$0.key, default: 0] >= Self.costRounds }
  }

  /// Runs the pending cells.
  ///
  /// - Parameters:
  ///   - jobs: number of cells in parallel, at most two per processor.
  ///   - limitSeconds: no new cells start after this time; by default the plan's limit.
  ///   - stop: raised to end the run early.
  public func run(
    jobs: Int, limitSeconds: Double? = nil, stop: StopSignal = StopSignal(),
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Outcome {
    let began = (clock: Date(), cpu: ProcessTime.seconds)
    let limit = limitSeconds ?? plan.limitSeconds
    let pending = try limit == nil ? pending() : CellOrder.spread(pending())
    let work = work()
    let rebuilt = try store.cellsOfOtherBuilds(ofRun: plan.name)
    if !rebuilt.isEmpty { report(.rebuilt(rebuilt)) }
    report(.began(total: share.count, stored: share.count - pending.count))
    try store.begin(plan, cells, from: .now(of: subjects.values))
    var deadline = Deadline(began.clock, limitSeconds: limit)
    var (failed, begun, end) = ([String](), 0, End.complete)
    var queue = CellQueue(pending)
    try await Self.computeInParallel([(self, work)], jobs: jobs, report: report) { running in
      guard end == .complete, !queue.left.isEmpty else { return nil }
      if stop.isRaised { end = .stopped }
      if deadline.isPassed { end = .outOfTime }
      // The order of a run with a limit is chosen so that any part of it tells most.
      guard end == .complete,
        let cell = queue.next(besides: limit == nil ? running.map(\.cell) : [])
      else { return nil }
      begun += 1
      return Turn(sweep: 0, cell: cell)
    } noting: { finished, seconds in
      deadline.note(cellSeconds: seconds)
      if let failure = finished.failure { failed.append("\(finished.cell.label): \(failure)") }
    }
    if plan.cost == .careful, end == .complete {
      end = try await measureCosts(work, deadline, stop, report)
    }
    if end == .complete, share.count == cells.count {
      try store.finish(plan)
    }
    let earlier = try store.earlierFailures()
    failed += share.compactMap { cell in earlier[cell.key].map { "\(cell.label): \($0)" } }
    let spent = work.time.spent
    return Outcome(
      total: share.count, stored: share.count - pending.count, computed: begun,
      failed: failed, left: Array(queue.left), end: end,
      time: Time(
        clock: Date().timeIntervalSince(began.clock), subject: spent.subject,
        judges: spent.judges, all: ProcessTime.seconds - began.cpu))
  }

  /// Returns the number of cells to start at once: an interrupted run waits for all of them.
  static func inFlight(_ jobs: Int) -> Int {
    min(max(1, jobs), 2 * ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Times one cell after the other with nothing beside it. Each round covers all cells, so a
  /// temporary slowdown of the machine affects all settings alike.
  private func measureCosts(
    _ work: CellWork, _ deadline: Deadline, _ stop: StopSignal,
    _ report: @Sendable (Event) -> Void
  ) async throws -> End {
    let done = try store.costRounds()
    let rounds = (0..<Self.costRounds).map { round in
      share.filter { cell in done[cell.key].map { $0 <= round } ?? false }
    }
    let total = rounds.reduce(0) { $0 + $1.count }
    guard total > 0 else { return .complete }
    report(.costBegan(total: total))
    for (round, cells) in rounds.enumerated() {
      for cell in cells {
        if stop.isRaised { return .stopped }
        if deadline.isPassed { return .outOfTime }
        if let cost = await work.cost(of: cell, counting: round == 0) {
          try store.save(cost.round, of: cell, soundSeconds: cost.soundSeconds)
        }
        report(.costFinished(cell))
      }
    }
    return .complete
  }

  /// Creates the work that renders and measures the plan's cells.
  func work() -> CellWork {
    CellWork(corpus: corpus, subjects: subjects, sounds: store.sounds, repeating: repeated)
  }

  func listens(to cell: Cell) -> Bool { plan.listen?.contains(cell.recording.id) ?? false }
}

/// A request from any thread that a sweep starts no new cells; running cells are finished and kept.
public final class StopSignal: Sendable {
  private let isUp = Atomic<Bool>(false)

  public init() {}

  public func raise() { isUp.store(true, ordering: .relaxed) }

  public var isRaised: Bool { isUp.load(ordering: .relaxed) }
}

/// The time after which no cell starts: early enough for a cell of mean duration to finish in time.
private struct Deadline: Sendable {
  private let end: Date?
  private var cellSeconds: (sum: Double, count: Double) = (0, 0)

  init(_ start: Date, limitSeconds: Double?) {
    end = limitSeconds.map { start.addingTimeInterval($0) }
  }

  mutating func note(cellSeconds seconds: Double) {
    cellSeconds = (cellSeconds.sum + seconds, cellSeconds.count + 1)
  }

  var isPassed: Bool {
    let typical = cellSeconds.count > 0 ? cellSeconds.sum / cellSeconds.count : 0
    return end.map { Date().addingTimeInterval(typical) > $0 } ?? false
  }
}

/// Processor time of this process and of the children it waited for.
private enum ProcessTime {
  static var seconds: Double {
    var (own, children) = (rusage(), rusage())
    getrusage(RUSAGE_SELF.rawValue, &own)
    getrusage(RUSAGE_CHILDREN.rawValue, &children)
    return [own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime]
      .reduce(0) { $0 + $1.seconds }
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) * 1e-6 }
}
