import Metrics
import Platform

/// The comparison of two runs: every figure's change with its verdict, and what can't be compared.
public struct RunComparison: Codable, Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var rule = VerdictRule()
    /// Ids of the metrics to judge; by default all with a minimum effect.
    public var metrics: [String]?
    /// Minimum effects that replace `Metric.minimumEffect`, by id.
    public var minimumEffects: [String: Double] = [:]
    /// Largest share of a figure's values that may go without a regression.
    public var maxMissingShare = 0.05

    public init() {}
  }

  /// A cell that only one side has, or that failed.
  public struct UnpairedCell: Codable, Equatable, Sendable {
    public var cell: CellAddress
    public var reason: String
  }

  /// Differences, the most serious verdict first, then by size in minimum effects.
  public var differences: [MetricDifference]
  public var pairedCells: Int
  /// Cells of the baseline that the candidate lacks.
  public var missing: [CellAddress]
  public var added: [CellAddress]
  /// Cells that only the baseline could measure.
  public var broken: [UnpairedCell]
  /// Number of cells that neither side could measure.
  public var failedOnBoth: Int

  /// The most serious verdict of all figures; `inconclusive` if nothing could be compared.
  public var verdict: ComparisonVerdict {
    differences.isEmpty ? .inconclusive : ComparisonVerdict.worst(of: differences.map(\.verdict))
  }

  public func count(_ verdict: ComparisonVerdict) -> Int {
    differences.count { $0.verdict == verdict }
  }

  public init(
    baseline: [ComparedCell], candidate: [ComparedCell], _ settings: Settings = Settings()
  ) throws(Refusal) {
    try self.init(baseline: Takes(baseline), candidate: Takes(candidate), settings)
  }

  /// Compares runs take by take, as far as both have takes. The subject counts as random if a cell of either
  /// says so.
  package init(
    baseline: Takes, candidate: Takes, _ settings: Settings = Settings()
  ) throws(Refusal) {
    let (baseline, candidate) = (
      baseline.measuring(candidate.metrics), candidate.measuring(baseline.metrics)
    )
    var settings = settings
    if (baseline.cells + candidate.cells).contains(where: \.isRandom) {
      settings.rule.isRandom = true
    }
    let cells = try PairedCells(baseline: baseline.cells, candidate: candidate.cells)
    guard !cells.pairs.isEmpty else {
      func first(_ side: Takes) -> String { side.cells.first.map { "'\($0.address)'" } ?? "none" }
      throw Refusal(
        "the two sides have no cell in common: the baseline has \(first(baseline)), the candidate "
          + "\(first(candidate)); compare takes the settings that differ with --ignoring, and a "
          + "gate whose plan changed is accepted again")
    }
    pairedCells = cells.pairs.count
    missing = cells.missing.map(\.address)
    added = cells.added.map(\.address)
    broken = cells.pairs.compactMap { pair in
      guard pair.baseline.failure == nil, let reason = pair.candidate.failure else { return nil }
      return UnpairedCell(cell: pair.address, reason: reason)
    }
    failedOnBoth = cells.pairs.count { $0.baseline.failure != nil && $0.candidate.failure != nil }
    let pairs = FigurePairs(of: cells.pairs, baseline: baseline, candidate: candidate)
    // One metric at a time: memory for a figure does not grow with its cells.
    var found: [FigureFinding] = []
    for metric in Self.judged(settings) {
      found += pairs.figures(of: metric).concurrentMap { [settings] in
        FigureFinding($0, in: pairs, settings)
      }
    }
    let decisions = found.reduce(0) { $0 + $1.decisions }
    differences = found.map { ($0.first, $0.judged(decisions: decisions, settings)) }
      .sorted { a, b in
        let (left, right) = (a.1, b.1)
        if left.verdict != right.verdict { return left.verdict.concern > right.verdict.concern }
        if left.reach != right.reach { return left.reach > right.reach }
        // Ties keep the order of the cells.
        return (a.0, left.metric, left.voice ?? "") < (b.0, right.metric, right.voice ?? "")
      }.map(\.1)
  }

  /// Returns the metrics that have a verdict.
  private static func judged(_ settings: Settings) -> [Metric] {
    Metric.all.filter { metric in
      (settings.metrics?.contains(metric.id) ?? true) && metric.loss(0) != nil
        && (settings.minimumEffects[metric.id] ?? metric.minimumEffect) != nil
    }
  }
}

extension MetricDifference {
  /// Size of the change for ordering; a lost value comes first.
  fileprivate var reach: Double { effects.map(abs) ?? .infinity }
}
