/// Several numbers that one analysis of a pair of sounds gives.
public struct PairMetric: Sendable {
  /// One number.
  public struct Figure: Sendable {
    public let id: String
    public let unit: String
    public let direction: Metric.Direction
    /// What it is, in a line.
    public let summary: String

    init(_ id: String, unit: String, _ direction: Metric.Direction, _ summary: String) {
      (self.id, self.unit, self.direction, self.summary) = (id, unit, direction, summary)
    }
  }

  public let figures: [Figure]
  /// When they are defined.
  public let domain: String
  /// One for each figure.
  public let measure: @Sendable (SoundPair) -> [MetricResult]

  init(
    _ figures: [Figure], domain: String,
    measure: @escaping @Sendable (SoundPair) -> [MetricResult]
  ) {
    (self.figures, self.domain, self.measure) = (figures, domain, measure)
  }

  /// Figures that are all undefined for one reason, or none of them.
  init(
    _ figures: [Figure], domain: String,
    throwing measure: @escaping @Sendable (SoundPair) throws -> [MetricResult]
  ) {
    self.init(figures, domain: domain) { pair in
      do { return try measure(pair) } catch {
        return figures.map { _ in .undefined("\(error)") }
      }
    }
  }

  /// All that is known to measure of a pair.
  public static let all: [PairMetric] =
    [delay] + pitch + [vibrato] + formants + timbre + intelligibility + artefacts + [level]
}

extension PairMetric {
  /// What a run measures in another way, and so under another id: it knows the law of the engine, and
  /// sounds that were moved have no waveform in common. With the id that stands there in its place.
  public static let ofSoundsOnly: [(metric: PairMetric, figure: Figure, inRuns: String)] =
    zip(delay.figures + tremolo.figures, ["latency.onset", "tremolo.depth", "tremolo.rate"])
    .map { figure, id in (figure.id.hasPrefix("latency") ? delay : tremolo, figure, id) }
}

/// A figure with what a pair gave for it.
public struct PairFinding: Sendable {
  public let figure: PairMetric.Figure
  public let domain: String
  public let measurement: MetricResult

  /// Everything that is defined of a pair, and the reasons for what isn't.
  ///
  /// - Parameter metrics: which to measure.
  public static func all(
    of pair: SoundPair, _ metrics: [PairMetric] = PairMetric.all
  ) -> [PairFinding] {
    metrics.flatMap { metric in
      zip(metric.figures, metric.measure(pair)).map {
        PairFinding(figure: $0, domain: metric.domain, measurement: $1)
      }
    }
  }
}
