import Corpus
import Foundation
import Platform
import Sweep

/// Runs a plan by successive halving: poor settings are dropped after few recordings.
///
/// A slice is one recording under one condition with all scores. The order of the slices alternates
/// between the synthetic singer and recorded voices, since each defines metrics that the other
/// can't, and cycles through the conditions. Recordings of one kind are ordered by digest, so the
/// order is reproducible. Probes come last. Results are stored like any run's, under the plan's
/// name with `-adaptive` appended. Where the last settings lose a voice, all settings are heard on that
/// recording too, because a dropped one may keep it.
public struct AdaptiveSweep: Sendable {
  public let halving: SuccessiveHalving
  private var sweep: Sweep
  private let all: [Cell]
  private let store: ResultStore
  private let tuner: Tuner
  private let candidates: [SettingChoice]
  private let slices: [String]

  /// - Parameter share: largest share of the full grid's cells to measure.
  public init(
    _ plan: Plan, corpus: Corpus, store: ResultStore, tuner: Tuner, share: Double = 0.25
  ) throws {
    var plan = plan
    plan.name += Self.suffix
    sweep = try Sweep(plan, corpus: corpus, store: store)
    all = sweep.cells
    self.store = store
    self.tuner = tuner
    candidates = all.map(\.candidate).uniqued()
    slices = Self.order(all)
    halving = SuccessiveHalving(
      settings: candidates.count, slices: slices.count,
      cellsPerSlice: max(1, all.count / (candidates.count * slices.count)), share: share)
  }

  static let suffix = "-adaptive"

  /// The results of a search.
  public struct Outcome: Sendable {
    public var run: StoredRun
    public var failed: [String]
    public var computed: Int
    /// Round, from 1, after which each setting was dropped.
    var droppedAfterRound: [SettingChoice: Int]
    public var search: TuneAnswer.Search
    /// The settings of the last round.
    var finalists: Set<SettingChoice>
  }

  /// - Throws: `UnfinishedRun` if the plan's time is up.
  public func run(
    jobs: Int, report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> Outcome {
    var sweep = sweep
    let start = Date()
    var (heard, failed, computed) = (Set<String>(), [String](), 0)
    var results: [CellResult] = []
    func measure(_ isNext: (Cell) -> Bool) async throws {
      heard.formUnion(all.filter(isNext).map(\.key))
      sweep.cells = all.filter { heard.contains($0.key) }
      sweep.share = sweep.cells
      // The plan's limit is that of the whole search.
      let left = sweep.plan.limitSeconds.map { max(0, $0 - Date().timeIntervalSince(start)) }
      let outcome = try await sweep.run(jobs: jobs, limitSeconds: left, report: report)
      try UnfinishedRun.refuse(outcome, of: sweep.plan)
      failed += outcome.failed
      computed += outcome.computed
      results = try store.run(named: sweep.plan.name).cells
      // What failed in one round is not tried again in the next.
      sweep.skipped = Set(results.filter(\.hasFailed).map(\.key))
    }
    let (left, dropped) = try await halving.search { alive, round in
      let wanted = Set(alive.map { candidates[$0] })
      let open = Set(slices.prefix(round.slices))
      try await measure { wanted.contains($0.candidate) && open.contains($0.slice) }
      let living = results.filter { wanted.contains(SettingChoice($0)) }
      let order = tuner.order(of: living, alive.map { candidates[$0] })
      return order.map { alive[$0] }
    }
    let finalists = Set(left.map { candidates[$0] })
    // A voice that all finalists lose may be kept by a setting that left before it was heard.
    let contested = Set(
      tuner.answer(for: results.filter { finalists.contains(SettingChoice($0)) }).unkept)
    if !contested.isEmpty {
      try await measure { contested.contains($0.recording.id) && $0.condition == .clean }
    }
    return Outcome(
      run: try store.run(named: sweep.plan.name), failed: failed.uniqued(), computed: computed,
      droppedAfterRound: Dictionary(
        uniqueKeysWithValues: dropped.map { (candidates[$0.key], $0.value + 1) }),
      search: .init(cells: heard.count, gridCells: all.count, rounds: halving.rounds),
      finalists: finalists)
  }

  private static func order(_ cells: [Cell]) -> [String] {
    let recordings = cells.map(\.recording.id).uniqued()
    let conditions = cells.map(\.condition.canonical).uniqued()
    let entries = cells.map(\.recording).keyed(by: \.id)
    let ranked = recordings.sorted { Digest.sha256($0) < Digest.sha256($1) }
    let made = ranked.filter { entries[$0]!.syntheticName != nil && !entries[$0]!.isProbe }
    let sung = ranked.filter { entries[$0]!.syntheticName == nil && !entries[$0]!.isProbe }
    let turns = (0..<max(made.count, sung.count)).flatMap { turn in
      [made, sung].compactMap { turn < $0.count ? $0[turn] : nil }
    }
    let order = turns + ranked.filter { entries[$0]!.isProbe }
    let known = Set(cells.map(\.slice))
    return conditions.indices.flatMap { round in
      order.enumerated().map { place, id in
        "\(id) \(conditions[(place + round) % conditions.count])"
      }
    }.filter(known.contains)
  }
}

extension Tuner {
  /// Returns the answer of an adaptive search. Only the settings of the last round can be recommended;
  /// dropped settings were measured on fewer recordings.
  public func answer(for outcome: AdaptiveSweep.Outcome) -> TuneAnswer {
    var answer = answer(for: outcome.run.cells, comparing: outcome.finalists)
    for index in answer.points.indices {
      let round = outcome.droppedAfterRound[SettingChoice(answer.points[index])]
      answer.points[index].droppedAfterRound = round
    }
    // The settings were measured on different recordings.
    answer.unheardSettings = []
    answer.search = outcome.search
    return answer
  }
}

extension Cell {
  fileprivate var candidate: SettingChoice { .init(subject: subjectID, settings: settings) }
  fileprivate var slice: String { "\(recording.id) \(condition.canonical)" }
}

/// A run whose settings were measured on different recordings because it ended early.
public struct UnfinishedRun: Error, CustomStringConvertible {
  public let description: String

  /// - Throws: if a sweep ended before all its cells were measured.
  public static func refuse(_ outcome: Sweep.Outcome, of plan: Plan) throws(UnfinishedRun) {
    guard outcome.end != .complete else { return }
    let cause =
      outcome.end == .outOfTime
      ? "the limit of \(SettingValue.number(plan.limitSeconds ?? 0)) s ended the run"
      : "the run was stopped"
    let cells =
      outcome.left.isEmpty
      ? "before its costs were timed" : "with \(counted(outcome.left.count, "cell")) left"
    throw UnfinishedRun(
      description:
        "\(cause) \(cells), so its settings can't be compared and none is recommended; run "
        + "the command again to measure the rest, or raise limitSeconds in the plan")
  }
}
