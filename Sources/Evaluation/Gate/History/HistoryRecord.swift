import Metrics
import Statistics
import Sweep

/// The value of one figure at one commit.
public struct HistoryRecord: Codable, Equatable, Sendable {
  /// The first twelve digits of the commit's hash.
  public var commit: String
  /// The committer's date in UTC, such as `2026-01-31T12:00:00Z`.
  public var date: String
  /// Name of the plan.
  public var plan: String
  public var key: FigureKey
  /// Mean over recordings.
  public var value: Double
  /// Number of recordings.
  public var count: Int
  /// Version of the metric.
  public var version: Int
  /// Class of the machine and of the build.
  public var machine: String

  /// A figure at a commit as one machine measured it, which a history has once.
  struct Place: Hashable {
    var commit: String
    var plan: String
    var key: FigureKey
    var version: Int
    var machine: String
  }

  var place: Place {
    Place(commit: commit, plan: plan, key: key, version: version, machine: machine)
  }

  /// The order of the file: a commit's lines stand together.
  static func isBefore(_ a: Self, _ b: Self) -> Bool {
    if (a.date, a.commit, a.plan) != (b.date, b.commit, b.plan) {
      return (a.date, a.commit, a.plan) < (b.date, b.commit, b.plan)
    }
    return a.key != b.key ? a.key < b.key : (a.version, a.machine) < (b.version, b.machine)
  }
}

extension HistoryRecord {
  /// Returns a record for each figure of a run that has a value: its mean over recordings.
  ///
  /// - Parameters:
  ///   - commit: the first twelve digits of the measured commit's hash, with its date.
  ///   - metrics: ids of the metrics to keep; by default all with a minimum effect.
  public static func all(
    of run: StoredRun, commit: (short: String, date: String), metrics: [String]? = nil
  ) -> [HistoryRecord] {
    let ids = Set(
      metrics ?? Metric.all.filter { $0.minimumEffect != nil && $0.loss(0) != nil }.map(\.id))
    let isOne = Set(run.plan.subjects.map(\.id)).count == 1
    let machines = Set(
      run.cells.compactMap(\.provenance).map { "\($0.machine), \($0.toolkit.kind)" })
    let pairs = FigurePairs(
      of: run.comparedCells(ignoring: isOne ? [SettingSummary.subjectAxis] : []))
    let figures = Metric.all.filter { ids.contains($0.id) }.flatMap(pairs.figures)
    return figures.compactMap { figure in
      let means = figure.means
      return Statistics.mean(means).map {
        HistoryRecord(
          commit: commit.short, date: commit.date, plan: run.plan.name, key: figure.key,
          value: $0, count: means.count, version: figure.metric.version,
          machine: machines.sorted().joined(separator: " + "))
      }
    }.sorted(by: isBefore)
  }
}
