import Cost
import Files
import Metrics
import Statistics

/// Two runs over the same cells: every figure's change with its verdict, and what can't be compared.
public struct RunComparison: Codable, Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var test = DifferenceTest()
    /// Metrics to judge, by id; all that have a minimum effect unless given.
    public var metrics: [String]?
    /// In place of `Metric.minimumEffect`, by id.
    public var minimumEffects: [String: Double] = [:]
    /// What equal runs differ by, by id, as calibration found.
    public var noise: [String: Double] = [:]
    /// Of how many units a figure must be shown not to be worse, by id.
    public var notWorseThan: [String: Double] = [:]
    /// The share of a figure's cells that may lose their value before that is a regression.
    public var maxMissingShare = 0.05

    public init() {}
  }

  /// A cell that only one side has, or that failed.
  public struct UnpairedCell: Codable, Equatable, Sendable {
    public var cell: ComparedCell.Address
    public var reason: String
  }

  /// Most worrying first; within a verdict, those that changed by most of what matters.
  public var differences: [MetricDifference]
  public var pairedCells: Int
  /// That the candidate has not.
  public var missing: [ComparedCell.Address]
  public var added: [ComparedCell.Address]
  /// That the candidate could not measure though the baseline could.
  public var broken: [UnpairedCell]
  /// That neither could.
  public var failedOnBoth: Int

  /// The most worrying of all figures; `inconclusive` where nothing could be compared.
  public var verdict: Verdict {
    differences.isEmpty ? .inconclusive : Verdict.worst(of: differences.map(\.verdict))
  }

  public func count(_ verdict: Verdict) -> Int { differences.count { $0.verdict == verdict } }

  public init(
    baseline: [ComparedCell], candidate: [ComparedCell], _ settings: Settings = Settings()
  ) throws(ComparisonError) {
    let cells = try PairedCells(baseline: baseline, candidate: candidate)
    guard !cells.pairs.isEmpty else {
      throw .nothingInCommon(baseline: baseline, candidate: candidate)
    }
    self.init(cells, settings) { _ in .init() }
  }

  /// Of large runs, whose measurements are read a metric at a time.
  public init(
    baseline: ComparedRun, candidate: ComparedRun, _ settings: Settings = Settings()
  ) throws {
    let cells = try PairedCells(baseline: baseline.cells, candidate: candidate.cells)
    guard !cells.pairs.isEmpty else {
      throw ComparisonError.nothingInCommon(baseline: baseline.cells, candidate: candidate.cells)
    }
    try self.init(cells, settings) { metric in
      FigurePairs.Tables(
        baseline: try baseline.table(of: metric), candidate: try candidate.table(of: metric))
    }
  }

  private init<Failure: Error>(
    _ cells: PairedCells, _ settings: Settings,
    reading tables: (_ metric: String) throws(Failure) -> FigurePairs.Tables
  ) throws(Failure) {
    pairedCells = cells.pairs.count
    missing = cells.missing.map(\.address)
    added = cells.added.map(\.address)
    broken = cells.pairs.compactMap { pair in
      guard pair.baseline.failure == nil, let reason = pair.candidate.failure else { return nil }
      return UnpairedCell(cell: pair.address, reason: reason)
    }
    failedOnBoth = cells.pairs.count { $0.baseline.failure != nil && $0.candidate.failure != nil }
    let pairs = FigurePairs(of: cells.pairs)
    // A metric at a time: what is kept of a figure doesn't grow with its cells.
    var found: [[FigureFinding]] = []
    for metric in Self.judged(settings) {
      let figures = pairs.figures(of: metric, in: try tables(metric.id))
      found.append(figures.concurrentMap { FigureFinding($0, in: pairs, settings) })
    }
    differences = Self.judge(found, settings)
  }

  /// The metrics that have a verdict.
  private static func judged(_ settings: Settings) -> [Metric] {
    Metric.all.filter { metric in
      (settings.metrics?.contains(metric.id) ?? true) && metric.loss(0) != nil
        && (settings.minimumEffects[metric.id] ?? metric.minimumEffect) != nil
    }
  }

  private static func judge(
    _ findings: [[FigureFinding]], _ settings: Settings
  ) -> [MetricDifference] {
    let found = findings.joined()
    let (test, tests) = (settings.test, found.count)
    let pValues = Statistics.holmAdjusted(found.map(\.difference.pValue))
    let errors = Dictionary(
      uniqueKeysWithValues: Set(found.map(\.difference.recordings)).map {
        ($0, test.errorsFound(recordings: $0, tests: tests))
      })
    var judged = zip(found, pValues).map { finding, p in
      let recordings = finding.difference.recordings
      return (
        first: finding.first,
        difference: finding.judged(
          adjustedP: p, tests: tests, errors: errors[recordings]!, settings)
      )
    }
    judged.sort { a, b in
      let (left, right) = (a.difference, b.difference)
      if left.verdict != right.verdict { return left.verdict.concern > right.verdict.concern }
      if left.reach != right.reach { return left.reach > right.reach }
      // What is alike stands in the order of the cells.
      return (a.first, left.metric, left.voice ?? "") < (b.first, right.metric, right.voice ?? "")
    }
    return judged.map(\.difference)
  }
}

extension MetricDifference {
  /// What has no value any more comes before what has changed.
  fileprivate var reach: Double { effects.map(abs) ?? .infinity }
}
