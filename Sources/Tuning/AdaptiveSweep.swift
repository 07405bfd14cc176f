import Corpus
import Foundation
import Identification
import Sweep

/// Runs the cells of a plan that tell which setting is best, and predicts the others.
///
/// `PredictiveSearch` chooses the cells. They are stored like any run's, under the plan's name with
/// `-adaptive` appended; predictions are not stored.
public struct AdaptiveSweep: Sendable {
  public let search: PredictiveSearch
  private var sweep: Sweep
  private let store: ResultStore

  /// Share of a plan's cells that is measured by default.
  public static let defaultShare = 0.15

  /// Sounds a tone at each setting.
  ///
  /// - Parameter share: largest share of the full grid's cells to measure.
  public init(
    _ plan: Plan, corpus: Corpus, store: ResultStore, tuner: Tuner, share: Double = defaultShare
  ) throws {
    var plan = plan
    plan.name += Self.suffix
    sweep = try Sweep(plan, corpus: corpus, store: store)
    self.store = store
    search = PredictiveSearch(
      sweep.cells, tuner: tuner, tones: SettingTone.all(of: sweep), share: share)
  }

  static let suffix = "-adaptive"

  /// The results of a search.
  public struct Outcome: Sendable {
    public var run: StoredRun
    public var failed: [String]
    public var computed: Int
    public var search: TuneAnswer.Search
    /// One result for each cell of the plan, measured or predicted.
    var completed: [CellResult]
  }

  public func run(
    jobs: Int, report: @escaping @Sendable (Sweep.Event) -> Void = { _ in }
  ) async throws -> Outcome {
    var sweep = sweep
    var (failed, computed) = ([String](), 0)
    let all = sweep.cells
    let found = try await search.run { chosen in
      sweep.cells = chosen.sorted().map { all[$0] }
      sweep.share = sweep.cells
      let outcome = try await sweep.run(jobs: jobs, report: report)
      failed = outcome.failed
      computed += outcome.computed
      return try store.run(named: sweep.plan.name).cells
    }
    return Outcome(
      run: try store.run(named: sweep.plan.name), failed: failed, computed: computed,
      search: .init(cells: found.measured.count, gridCells: all.count, rounds: found.rounds),
      completed: search.completed(by: found.measured))
  }
}

extension Tuner {
  /// Returns the answer of an adaptive search, by measured and predicted cells together. Each point
  /// says how many of its cells were measured.
  public func answer(for outcome: AdaptiveSweep.Outcome) -> TuneAnswer {
    answer(
      for: outcome.completed, measured: Set(outcome.run.cells.map(\.key)), outcome.search)
  }

  /// - Parameter measured: keys of the cells that were measured; the others are predicted.
  package func answer(
    for completed: [CellResult], measured: Set<String>, _ search: TuneAnswer.Search
  ) -> TuneAnswer {
    var answer = answer(for: completed)
    let own = Dictionary(grouping: completed, by: { SettingChoice($0) })
    for index in answer.points.indices {
      let cells = own[SettingChoice(answer.points[index])] ?? []
      answer.points[index].measuredCells = cells.count { measured.contains($0.key) }
    }
    answer.search = search
    return answer
  }
}
