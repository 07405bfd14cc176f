/// Figures of a pair of sounds that one analysis provides.
public struct PairMetric: Sendable {
  /// One figure.
  public struct Figure: Sendable {
    public let id: String
    public let unit: String
    public let direction: Metric.Direction
    /// Summary in one line.
    public let summary: String

    init(_ id: String, unit: String, _ direction: Metric.Direction, _ summary: String) {
      (self.id, self.unit, self.direction, self.summary) = (id, unit, direction, summary)
    }
  }

  public let figures: [Figure]
  /// Condition under which the figures are defined.
  public let domain: String
  /// True if the figures mean the same of a mix of voices beside a mix.
  let suitsMixes: Bool
  /// True if the figures are undefined where the delay is unknown.
  let needsDelay: Bool
  /// Returns one measurement for each figure.
  public let measure: @Sendable (SoundPair) -> [MetricResult]
  /// Returns the same of a voice inside a mix; `nil` if the figures need the voice alone.
  private(set) var measureInMix: (@Sendable (MixedVoicePair) -> [MetricResult])?

  init(
    _ figures: [Figure], domain: String, suitsMixes: Bool = false, needsDelay: Bool = true,
    measure: @escaping @Sendable (SoundPair) -> [MetricResult]
  ) {
    (self.figures, self.domain) = (figures, domain)
    (self.suitsMixes, self.needsDelay) = (suitsMixes, needsDelay)
    self.measure = { pair in
      if needsDelay, let reason = pair.delay.unknown {
        return figures.map { _ in .undefined(reason) }
      }
      return measure(pair)
    }
  }

  /// Returns the same metric, measured in mixes too, voice by voice.
  func inMixes(
    throwing measure: @escaping @Sendable (MixedVoicePair) throws -> [MetricResult]
  ) -> PairMetric {
    var metric = self
    metric.measureInMix = { [figures] pair in
      do { return try measure(pair) } catch {
        return figures.map { _ in .undefined(Undefined(error)) }
      }
    }
    return metric
  }

  /// Creates figures that are all undefined, for the same reason, if `measure` throws.
  init(
    _ figures: [Figure], domain: String, suitsMixes: Bool = false, needsDelay: Bool = true,
    throwing measure: @escaping @Sendable (SoundPair) throws -> [MetricResult]
  ) {
    self.init(figures, domain: domain, suitsMixes: suitsMixes, needsDelay: needsDelay) { pair in
      do { return try measure(pair) } catch {
        return figures.map { _ in .undefined(Undefined(error)) }
      }
    }
  }

  /// All pair metrics.
  public static let all: [PairMetric] =
    [delay] + pitch + formants + timbre + intelligibility + artefacts + [level]
}

extension PairMetric {
  /// Figures of two files that runs measure in another way, with the id used in runs, or not at all. A
  /// run knows the law of the engine, and transposed sounds have no waveform in common.
  public static let ofSoundsOnly: [(metric: PairMetric, figure: Figure, inRuns: String?)] = [
    (delay, delay.figures[0], "latency.onset"),
    (tremolo, tremolo.figures[0], "tremolo.depth"),
    (tremolo, tremolo.figures[1], "tremolo.rate"),
    (preEcho, preEcho.figures[0], nil),
  ]
}

/// A figure with its measurement.
public struct PairFinding: Sendable {
  public let figure: PairMetric.Figure
  public let domain: String
  public let measurement: MetricResult

  /// Returns all figures of a pair, each with a value or a reason.
  ///
  /// - Parameter metrics: pair metrics to measure.
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
