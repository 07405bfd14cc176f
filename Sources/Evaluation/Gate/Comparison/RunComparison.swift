import Metrics
import Platform
import Statistics

/// The comparison of two runs: every figure's change with its verdict, and what can't be compared.
public struct RunComparison: Codable, Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var test = DifferenceTest()
    /// Ids of the metrics to judge; by default all with a minimum effect.
    public var metrics: [String]?
    /// Minimum effects that replace `Metric.minimumEffect`, by id.
    public var minimumEffects: [String: Double] = [:]
    /// Calibrated noise between equal runs, by id.
    public var noise: [String: Double] = [:]
    /// Largest share of a figure's cells that may lose their value without a regression.
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
  ) throws(ComparisonError) {
    let cells = try PairedCells(baseline: baseline, candidate: candidate)
    guard !cells.pairs.isEmpty else {
      throw .nothingInCommon(baseline: baseline, candidate: candidate)
    }
    self.init(cells, settings, noise: nil)
  }

  /// Compares runs whose noise is known: medians with medians, if the candidate has several takes,
  /// otherwise the unperturbed takes alone, so that the same program gives the same numbers.
  ///
  /// - Parameter isPaired: false to take both sides for independent, as for one that is compared with
  ///   itself.
  package init(
    baseline: Takes, candidate: Takes, _ settings: Settings = Settings(), isPaired: Bool = true
  ) throws(ComparisonError) {
    let isSingle = candidate.perturbations == 0
    let (baseline, candidate) = (
      baseline.measuring(candidate.metrics), candidate.measuring(baseline.metrics)
    )
    let cells = try PairedCells(
      baseline: isSingle ? baseline.cells : baseline.medians(beside: candidate),
      candidate: candidate.medians(beside: baseline))
    guard !cells.pairs.isEmpty else {
      throw .nothingInCommon(baseline: baseline.cells, candidate: candidate.cells)
    }
    let noise = FigureNoise(baseline: baseline, candidate: candidate, isPaired: isPaired)
    self.init(cells, settings, noise: noise)
  }

  private init(_ cells: PairedCells, _ settings: Settings, noise: FigureNoise?) {
    pairedCells = cells.pairs.count
    missing = cells.missing.map(\.address)
    added = cells.added.map(\.address)
    broken = cells.pairs.compactMap { pair in
      guard pair.baseline.failure == nil, let reason = pair.candidate.failure else { return nil }
      return UnpairedCell(cell: pair.address, reason: reason)
    }
    failedOnBoth = cells.pairs.count { $0.baseline.failure != nil && $0.candidate.failure != nil }
    let pairs = FigurePairs(of: cells.pairs)
    // One metric at a time: memory for a figure does not grow with its cells.
    var found: [[FigureFinding]] = []
    for metric in Self.judged(settings) {
      found.append(
        pairs.figures(of: metric).concurrentMap {
          FigureFinding($0, in: pairs, settings, noise: noise)
        })
    }
    differences = Self.judge(found, settings)
  }

  /// Returns the metrics that have a verdict.
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
    let eventTests = found.count(where: \.countsEvents)
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
          adjustedP: p, tests: tests, eventTests: eventTests, errors: errors[recordings]!, settings)
      )
    }
    judged.sort { a, b in
      let (left, right) = (a.difference, b.difference)
      if left.verdict != right.verdict { return left.verdict.concern > right.verdict.concern }
      if left.reach != right.reach { return left.reach > right.reach }
      // Ties keep the order of the cells.
      return (a.first, left.metric, left.voice ?? "") < (b.first, right.metric, right.voice ?? "")
    }
    return judged.map(\.difference)
  }
}

extension MetricDifference {
  /// Size of the change for ordering; a lost value comes first.
  fileprivate var reach: Double { effects.map(abs) ?? .infinity }
}
