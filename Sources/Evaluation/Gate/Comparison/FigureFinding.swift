import Metrics
import Statistics

/// The result for one figure before correction for multiple tests. Its size does not depend on the
/// number of cells.
struct FigureFinding: Sendable {
  /// The difference with its uncorrected p-value and the verdict without significance.
  let difference: MetricDifference
  /// Index of the first pair with the figure, for a stable order.
  let first: Int
  private let judgement: DifferenceTest.Judgement
  /// The cell that improved most, if the mean improved.
  private let best: MetricDifference.Instance?
  /// Standard deviation between recordings.
  private let deviation: Double
  private let lostShare: Double
  private let gained: Int
  /// Standard error of the mean change by the noise of the takes.
  private let noiseError: Double
  /// P-value that values come and go by chance; `nil` if their presence in takes is not known.
  private let presenceP: Double?
  /// Counts of rare events over all takes; `nil` if the figure has none, or a single take.
  private let events: EventCounts?
  /// True if the values of a metric with an ideal moved away from it, beyond noise.
  private let hasMovedAway: Bool
  /// True if rare events are counted.
  var countsEvents: Bool { events != nil }

  init(
    _ figure: FigurePairs.Figure, in pairs: FigurePairs, _ settings: RunComparison.Settings,
    noise: FigureNoise?
  ) {
    let (metric, test) = (figure.metric, settings.test)
    let effect = settings.minimumEffects[metric.id] ?? metric.minimumEffect!
    let limits = noise?.limits(of: figure.key, pairs.recordings(of: figure), effect: effect)
    let evidence = DifferenceTest.Evidence(
      worsening: figure.worseningByRecording,
      effect: effect,
      noise: settings.noise[metric.id] ?? 0, limits: limits,
      isOfEvents: RareEvents.metrics.contains(metric.id))
    noiseError = limits?.error ?? 0
    hasMovedAway =
      evidence.mean > 0 && Self.hasShifted(figure, in: pairs, effect: effect, noise: noise)
    let events = noise?.events(of: figure.key, effect: effect)
    self.events = events
    presenceP = figure.lost > 0 ? noise?.presencePValue(of: figure.key) : nil
    let interval = test.interval(ofMean: evidence.worsening)
    let judgement = test.judge(evidence, interval: interval)
    let recordings = evidence.worsening.count
    func extreme(_ isBefore: (Double, Double) -> Bool) -> MetricDifference.Instance? {
      figure.cells.max { isBefore(figure.worsening($0), figure.worsening($1)) }
        .map(pairs.instance)
    }
    self.judgement = judgement
    (first, lostShare, gained) = (figure.first, figure.lostShare, figure.gained)
    deviation = Statistics.deviation(evidence.worsening) ?? 0
    best = evidence.mean < 0 ? extreme { $0 > $1 } : nil
    difference = MetricDifference(
      metric: metric.id, voice: figure.key.figure.voice, score: figure.key.score,
      configuration: figure.key.configuration, unit: metric.unit, direction: metric.direction,
      baseline: evidence.mean(of: figure.baselineByRecording),
      candidate: evidence.mean(of: figure.candidateByRecording), recordings: recordings,
      cells: figure.cells.count, worsening: recordings == 0 ? nil : evidence.mean,
      medianWorsening: Statistics.median(evidence.worsening),
      interval: interval, pValue: test.pValue(evidence),
      signFlipP: evidence.isUnchanged
        ? (recordings == 0 ? nil : 1) : SignFlipTest(evidence.worsening)?.pValue,
      minimumEffect: evidence.effect, noise: max(evidence.noise, limits?.mean ?? 0),
      verdict: judgement.otherwise.verdict, reason: judgement.otherwise.reason,
      extreme: evidence.isUnchanged ? nil : extreme { $0 < $1 },
      eventCells: evidence.isOfEvents
        ? Self.eventCells(of: figure, in: pairs, events) : [],
      lost: figure.lost, lossReason: figure.lossReason)
  }

  /// Returns true if the values of a metric with an ideal moved by the minimum effect and beyond noise,
  /// alike in all recordings. Their distances from the ideal need not: a voice that is flat in some
  /// recordings comes nearer there when it is raised.
  private static func hasShifted(
    _ figure: FigurePairs.Figure, in pairs: FigurePairs, effect: Double, noise: FigureNoise?
  ) -> Bool {
    guard let shifts = figure.shiftByRecording, let noise,
      let limits = noise.limits(
        of: figure.key, pairs.recordings(of: figure), effect: effect, ofValues: true)
    else { return false }
    let evidence = DifferenceTest.Evidence(
      worsening: shifts, effect: effect, noise: 0, limits: limits)
    let (mean, threshold) = (evidence.mean, evidence.threshold)
    guard abs(mean) >= threshold, evidence.isUnanimous else { return false }
    return shifts.count >= ClusterBootstrap.minClusters
      || shifts.allSatisfy { mean > 0 ? $0 >= threshold : $0 <= -threshold }
  }

  /// Returns the cells with more events, and those of which single takes have more.
  private static func eventCells(
    of figure: FigurePairs.Figure, in pairs: FigurePairs, _ events: EventCounts?
  ) -> [MetricDifference.Instance] {
    figure.cells.map { (instance: pairs.instance($0), worsening: figure.worsening($0)) }.filter {
      $0.worsening > 0 || events?.moreByRecording[$0.instance.recording] != nil
    }.map(\.instance)
  }

  /// Returns the difference with its final verdict.
  ///
  /// - Parameters:
  ///   - p: p-value after Holm's correction over `tests` figures.
  ///   - eventTests: number of figures that count rare events.
  ///   - errors: result of `DifferenceTest.errorsFound`.
  func judged(
    adjustedP p: Double, tests: Int, eventTests: Int, errors: Double?,
    _ settings: RunComparison.Settings
  ) -> MetricDifference {
    let test = settings.test
    var judged = difference
    judged.pValue = p
    judged.minimumDetectableEffect = test.minimumDetectableEffect(
      recordings: judged.recordings, deviation: deviation,
      threshold: max(judged.minimumEffect, judged.noise), noise: settings.noise[judged.metric] ?? 0,
      errors: errors, error: noiseError)
    (judged.verdict, judged.reason) =
      p <= test.level ? judgement.beyondChance : judgement.otherwise
    if lostShare > settings.maxMissingShare {
      judgeLosses(
        &judged, tests: tests, level: test.level,
        isDeterministic: settings.noise[judged.metric] ?? 0 == 0)
    }
    if hasMovedAway, judged.verdict != .regression {
      (judged.verdict, judged.reason) = (.regression, "moved away from its ideal, beyond noise")
    }
    if let events, judged.verdict != .regression,
      events.pValue * Double(eventTests) <= RareEvents.level
    {
      (judged.verdict, judged.reason) = (.regression, events.reason)
    }
    if let best, judged.verdict != .regression { judged.extreme = best }
    return judged
  }

  private func judgeLosses(
    _ judged: inout MetricDifference, tests: Int, level: Double, isDeterministic: Bool
  ) {
    let words =
      judged.lost == 1 ? "1 cell lost its value" : "\(judged.lost) cells lost their values"
    // If equal runs differ, values come and go by chance.
    let chance =
      presenceP
      ?? (isDeterministic
        ? 0 : Proportion(judged.lost, of: judged.lost + gained).pValue(above: 0.5))
    if chance * Double(tests) <= (presenceP == nil ? level : RareEvents.level) {
      (judged.verdict, judged.reason) = (.regression, words)
    } else if judged.verdict == .withinNoise {
      (judged.verdict, judged.reason) = (
        .inconclusive, words + (gained > 0 ? ", \(gained) gained one" : "; too few for a verdict")
      )
    }
  }
}
