import Metrics
import Platform
import Statistics

/// The evidence on one figure, before the number of decisions is known: its changes as tables of recordings and
/// takes, with the cells that show most. Its size does not depend on the number of cells.
struct FigureFinding: Sendable {
  /// Index of the first pair with the figure, for a stable order.
  let first: Int
  /// The difference without p-value and verdict.
  private let difference: MetricDifference
  /// Changes of losses; positive is worse. `nil` if no value is on both sides.
  private let losses: TakesTable?
  /// Changes of values, for a metric with an ideal. Distances from the ideal need not agree: a voice that
  /// is flat in some recordings comes nearer there when it is raised.
  private let values: TakesTable?
  /// Takes with more rare events than the baseline's, against those with fewer.
  private let events: Signs?
  /// Values that are gone, against those that came.
  private let gone: Signs
  private let lostShare: Double
  /// True if lost values are no chance: of a deterministic subject's only take, or all of them.
  private let isSurelyLost: Bool
  /// The cell that got worse by most, of the recording that is far worse by itself, with the probability of
  /// such takes by chance.
  private let farWorse: (cell: MetricDifference.Instance, pValue: Double)?
  /// True if chance moves the subject, so that one recording proves nothing.
  private let isRandom: Bool
  /// The cell that got better by most.
  private let best: MetricDifference.Instance?
  /// The cells that changed most in the direction of the mean.
  private let places: [MetricDifference.Instance]

  /// Number of cells that a picture shows.
  private static let maxPlaces = 8

  /// Counts of changes for the worse and for the better.
  private struct Signs {
    let worse, better: Int

    func isChange(limit: Double) -> Bool {
      let signs = Array(repeating: 1.0, count: worse) + Array(repeating: -1.0, count: better)
      return worse > 0 && ExchangeTest(pairs: signs).map { $0.pValue <= limit } ?? false
    }
  }

  init(_ figure: FigurePairs.Figure, in pairs: FigurePairs, _ settings: RunComparison.Settings) {
    let metric = figure.metric
    let effect = settings.minimumEffects[metric.id] ?? metric.minimumEffect!
    let isRandom = settings.rule.isRandom
    self.isRandom = isRandom
    let rows = figure.rows(figure.worsening)
    func table(_ sides: [ExchangeTest.Group]) -> TakesTable? {
      sides.isEmpty
        ? nil
        : TakesTable(sides, ofTakes: figure.maxTakes, effect: effect, isRandom: isRandom)
    }
    let losses = table(figure.sides { metric.loss($0)! })
    let cells = figure.byCell
    func worsening(_ cell: ArraySlice<FigurePairs.Figure.Take>) -> Double {
      cell.reduce(0) { $0 + figure.worsening($1) } / Double(cell.count)
    }
    func mean(_ value: (FigurePairs.Figure.Take) -> Double) -> Double? {
      losses?.mean(of: figure.rows(value).map { Statistics.mean($0)! })
    }
    let isChanged = losses.map { !$0.isUnchanged } ?? false
    let worst = isChanged ? cells.max { worsening($0) < worsening($1) } : nil
    let isOfEvents = RareEvents.metrics.contains(metric.id)
    let more = figure.takes.count { figure.worsening($0) >= effect }
    events =
      isOfEvents
      ? Signs(worse: more, better: figure.takes.count { figure.worsening($0) <= -effect }) : nil
    gone = Signs(worse: figure.lost, better: figure.gained)
    (first, lostShare, self.losses) = (figure.first, figure.lostShare, losses)
    isSurelyLost = !isRandom && (figure.maxTakes < 2 || figure.lost == figure.possible)
    values = metric.ideal == nil ? nil : table(figure.sides { $0 })
    best = isChanged ? cells.min { worsening($0) < worsening($1) }.map(pairs.instance) : nil
    let sign = losses.map { $0.mean < 0 ? -1.0 : 1 } ?? 1
    places =
      isChanged
      ? cells.sorted { sign * worsening($0) > sign * worsening($1) }.prefix(Self.maxPlaces)
        .map(pairs.instance) : []
    let farWorse = isRandom ? nil : Self.farWorse(figure, effect: effect, settings.rule)
    self.farWorse = farWorse.flatMap { row, pValue in
      figure.cells(ofRow: row).max { worsening($0) < worsening($1) }
        .map { (pairs.instance($0), pValue) }
    }
    difference = MetricDifference(
      metric: metric.id, voice: figure.key.figure.voice, score: figure.key.score,
      configuration: figure.key.configuration, unit: metric.unit, direction: metric.direction,
      baseline: mean(\.baseline), candidate: mean(\.candidate), recordings: rows.count,
      cells: cells.count, worsening: losses?.mean,
      medianWorsening: Statistics.median(rows.map { Statistics.mean($0)! }),
      error: losses?.error ?? 0, pValue: 1,
      minimumEffect: effect, verdict: .withinNoise, reason: "",
      extreme: worst.map(pairs.instance),
      eventCells: isOfEvents
        ? cells.filter { cell in
          worsening(cell) > 0 || cell.contains { figure.worsening($0) >= effect }
        }.map(pairs.instance) : [],
      lost: figure.lost, lossReason: figure.lossReason)
  }

  /// Returns the row of the recording that is far worse most clearly, with its p-value.
  private static func farWorse(
    _ figure: FigurePairs.Figure, effect: Double, _ rule: VerdictRule
  ) -> (row: Int, pValue: Double)? {
    let before = figure.rows { figure.metric.loss($0.baseline)! }
    let after = figure.rows { figure.metric.loss($0.candidate)! }
    return before.indices.compactMap { row in
      let change = Statistics.mean(after[row])! - Statistics.mean(before[row])!
      guard change >= rule.jump * effect else { return nil }
      let pValue = TakesTable.pValue(
        of: after[row], above: before[row], ofTakes: figure.maxTakes, effect: effect)
      return (row, pValue)
    }.min { $0.1 < $1.1 }
  }

  /// Number of decisions that chance may turn: of the mean, of the values, of the events, of lost values,
  /// and one for each recording that may be worse by itself.
  var decisions: Int {
    let recordings = losses.map { $0.isSingle || isRandom ? 0 : $0.rows.count } ?? 0
    return 1 + (values == nil ? 0 : 1) + (events == nil ? 0 : 1) + (gone.worse > 0 ? 1 : 0)
      + recordings
  }

  /// Returns the difference with its verdict.
  ///
  /// - Parameter decisions: number of decisions of the whole comparison.
  func judged(decisions: Int, _ settings: RunComparison.Settings) -> MetricDifference {
    let rule = settings.rule
    let limit = rule.level / Double(decisions)
    var judged = difference
    judged.pValue = losses.map { min(1, Double(decisions) * $0.pValue(limit: limit)) } ?? 1
    judged.minimumDetectableEffect = losses.flatMap { $0.detectable(limit: limit, rule) }
    if let found = regression(limit: limit, settings) {
      (judged.verdict, judged.reason, judged.places) = (.regression, found.reason, places)
      if let place = found.place { judged.extreme = place }
      return judged
    }
    (judged.verdict, judged.reason) = otherVerdict(limit: limit, settings)
    if judged.verdict == .improvement { judged.places = places }
    if let losses, losses.mean < 0 { judged.extreme = best }
    return judged
  }

  /// Returns why the figure is a regression, with the cell that decided if it is not the worst one.
  private func regression(
    limit: Double, _ settings: RunComparison.Settings
  ) -> (reason: String, place: MetricDifference.Instance?)? {
    let rule = settings.rule
    if let losses, losses.mean > 0, losses.isChange(limit: limit, rule) {
      return ("worse " + extent(of: losses), nil)
    }
    if let values, let losses, losses.mean > 0, values.isChange(limit: limit, rule) {
      let ideal = Metric.metric(id: difference.metric)?.ideal ?? 0
      return ("moved away from \(difference.amount(ideal)) " + extent(of: values), nil)
    }
    if let losses, let farWorse, farWorse.pValue <= limit {
      let effect = difference.amount(difference.minimumEffect)
      let worse = losses.rows.count { $0.reduce(0, +) > 0 }
      return (
        "worse on \(worse) of \(counted(losses.rows.count, "recording")), in this one by more than "
          + "\(rule.jump.short) times what counts (\(effect))", farWorse.cell
      )
    }
    if let events, events.isChange(limit: limit) {
      return (
        "more events in \(counted(events.worse, "take")) than in those of the baseline, fewer in "
          + "\(events.better)", difference.eventCells.first
      )
    }
    if isLost(beyond: limit, settings) { return (lossWords, nil) }
    return nil
  }

  /// Returns true if more values are gone than may be, and than chance explains.
  private func isLost(beyond limit: Double, _ settings: RunComparison.Settings) -> Bool {
    lostShare > settings.maxMissingShare && (isSurelyLost || gone.isChange(limit: limit))
  }

  private var lossWords: String {
    let values = gone.worse == 1 ? "1 value is gone" : "\(gone.worse) values are gone"
    return values + (gone.better > 0 ? ", \(gone.better) came" : "")
      + (difference.lossReason.map { ": \($0)" } ?? "")
  }

  /// Returns text such as `on 5 of 5 recordings, by 3.1 cents on average (minimum effect 2 cents)`.
  private func extent(of table: TakesTable) -> String {
    "on \(table.agreeing) of \(counted(table.rows.count, "recording")), by "
      + "\(difference.amount(abs(table.mean))) on average (minimum effect "
      + "\(difference.amount(difference.minimumEffect)))"
  }

  private func otherVerdict(
    limit: Double, _ settings: RunComparison.Settings
  ) -> (ComparisonVerdict, String) {
    guard let losses else { return (.inconclusive, lossWords) }
    if losses.mean < 0, losses.isChange(limit: limit, settings.rule) {
      return (.improvement, "better " + extent(of: losses))
    }
    if lostShare > settings.maxMissingShare { return (.inconclusive, lossWords) }
    let size = abs(losses.mean)
    if size >= difference.minimumEffect {
      return (
        .inconclusive,
        (losses.mean > 0 ? "worse " : "better ") + extent(of: losses)
          + ", but chance may explain it"
      )
    }
    // Twice its standard error may hide in the mean.
    return size + 2 * losses.error >= difference.minimumEffect
      ? (.inconclusive, "below the minimum effect, but noise may hide more")
      : (.withinNoise, losses.isUnchanged ? "the same" : "below the minimum effect")
  }
}
