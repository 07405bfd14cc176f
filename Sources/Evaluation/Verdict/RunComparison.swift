import Analyzer

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
    public var mayLose = 0.05

    public init() {}
  }

  /// A cell that only one side has, or that failed.
  public struct Odd: Codable, Equatable, Sendable {
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
  public var broken: [Odd]
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
      throw .nothingInCommon(
        baseline: baseline.first.map { "'\($0.address)'" } ?? "none",
        candidate: candidate.first.map { "'\($0.address)'" } ?? "none")
    }
    pairedCells = cells.pairs.count
    missing = cells.missing.map(\.address)
    added = cells.added.map(\.address)
    broken = cells.pairs.compactMap { pair in
      guard pair.baseline.failure == nil, let reason = pair.candidate.failure else { return nil }
      return Odd(cell: pair.address, reason: reason)
    }
    failedOnBoth = cells.pairs.count { $0.baseline.failure != nil && $0.candidate.failure != nil }
    let figures = FigurePairs(of: cells.pairs, judging: Self.judged(settings))
    differences = Self.judge(figures.all, settings)
  }

  /// The metrics that have a verdict, by id.
  private static func judged(_ settings: Settings) -> [String: Metric] {
    let metrics = Metric.all.filter { metric in
      (settings.metrics?.contains(metric.id) ?? true) && metric.badness(0) != nil
        && (settings.minimumEffects[metric.id] ?? metric.minimumEffect) != nil
    }
    return Dictionary(uniqueKeysWithValues: metrics.map { ($0.id, $0) })
  }

  private static func judge(
    _ figures: [FigurePairs.Figure], _ settings: Settings
  ) -> [MetricDifference] {
    let test = settings.test
    let evidence = figures.map { figure in
      DifferenceTest.Evidence(
        worsening: figure.worseningByRecording,
        effect: settings.minimumEffects[figure.metric.id] ?? figure.metric.minimumEffect!,
        noise: settings.noise[figure.metric.id] ?? 0)
    }
    let pValues = Statistics.holmAdjusted(evidence.map { test.pValue($0, tests: figures.count) })
    return zip(figures, zip(evidence, pValues)).map { figure, found in
      let (evidence, p) = found
      var (verdict, reason) = test.judge(evidence, adjustedP: p)
      if figure.lostShare > settings.mayLose {
        let words = "\(figure.lost) cells have no value any more"
        // Where equal runs differ, values come and go by chance.
        let chance = Proportion(figure.lost, of: figure.lost + figure.gained).pValue(above: 0.5)
        if evidence.noise == 0 || chance * Double(figures.count) <= test.level {
          (verdict, reason) = (.regression, words)
        } else if verdict == .withinNoise {
          (verdict, reason) = (.inconclusive, words + ", \(figure.gained) have one now")
        }
      }
      return MetricDifference(
        figure, evidence, verdict: verdict, reason: reason, pValue: p, tests: figures.count,
        test: test, margin: settings.notWorseThan[figure.metric.id])
    }.sorted {
      ($1.verdict.concern, $1.reach) < ($0.verdict.concern, $0.reach)
    }
  }
}

extension MetricDifference {
  /// What has no value any more comes before what has changed.
  fileprivate var reach: Double { effects.map(abs) ?? .infinity }

  fileprivate init(
    _ figure: FigurePairs.Figure, _ evidence: DifferenceTest.Evidence, verdict: Verdict,
    reason: String, pValue: Double, tests: Int, test: DifferenceTest, margin: Double?
  ) {
    let metric = figure.metric
    let means = figure.meansByRecording
    let isBetter = evidence.mean < 0 && verdict != .regression
    let badness = { (one: Instance) in
      metric.badness(one.candidate)! - metric.badness(one.baseline)!
    }
    self.init(
      metric: metric.id, voice: figure.id.voice, score: figure.score,
      configuration: figure.configuration, unit: metric.unit, direction: metric.direction,
      baseline: Statistics.mean(means.map(\.baseline)),
      candidate: Statistics.mean(means.map(\.candidate)),
      recordings: means.count, cells: figure.instances.count,
      worsening: means.isEmpty ? nil : evidence.mean,
      interval: test.interval(evidence), pValue: pValue,
      signFlipP: evidence.isUnchanged
        ? (means.isEmpty ? nil : 1) : SignFlipTest(evidence.worsening)?.pValue,
      minimumEffect: evidence.effect, noise: evidence.noise,
      smallestFindable: test.smallestFindable(evidence, tests: tests), verdict: verdict,
      reason: reason,
      extreme: evidence.isUnchanged
        ? nil
        : figure.instances.max {
          isBetter ? badness($0) > badness($1) : badness($0) < badness($1)
        }, lost: figure.lost, lossReason: figure.lossReason,
      notWorseP: margin.flatMap {
        EquivalenceTest(evidence.worsening, within: -Double.infinity...$0)?.pValue
      })
  }
}
