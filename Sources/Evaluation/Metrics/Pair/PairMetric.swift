/// Figures of a pair of sounds that one analysis provides.
public struct PairMetric: Sendable {
  public let figures: [Metric.Figure]
  /// Condition under which the figures are defined.
  public let domain: String
  /// The sound with which runs compare a voice; `nil` for figures of two files only.
  let reference: Reference?
  /// True if the figures mean the same of a mix of voices beside a mix.
  let suitsMixes: Bool
  /// True if the figures are undefined where the delay is unknown.
  let needsDelay: Bool
  private let ofPair: @Sendable (SoundPair) throws -> [MetricResult]
  /// Returns the same of a voice inside a mix; `nil` if the figures need the voice alone.
  private var ofMixedVoice: (@Sendable (MixedVoicePair) throws -> [MetricResult])?

  /// - Parameter measure: returns one measurement for each figure; if it throws, all are undefined for
  ///   this reason.
  init(
    _ figures: [Metric.Figure], domain: String, against reference: Reference? = nil,
    suitsMixes: Bool = false, needsDelay: Bool = true,
    measure: @escaping @Sendable (SoundPair) throws -> [MetricResult]
  ) {
    (self.figures, self.domain, self.reference) = (figures, domain, reference)
    (self.suitsMixes, self.needsDelay, ofPair) = (suitsMixes, needsDelay, measure)
  }

  /// Returns the same metric, measured in mixes too, voice by voice.
  func inMixes(
    _ measure: @escaping @Sendable (MixedVoicePair) throws -> [MetricResult]
  ) -> PairMetric {
    var metric = self
    metric.ofMixedVoice = measure
    return metric
  }

  var isMeasuredInMixes: Bool { ofMixedVoice != nil }

  /// Returns one measurement for each figure.
  public func measure(_ pair: SoundPair) -> [MetricResult] {
    if needsDelay, let reason = pair.delay.unknown { return undefined(reason) }
    do { return try ofPair(pair) } catch { return undefined(Undefined(error)) }
  }

  /// Returns one measurement for each figure of a voice inside a mix.
  func measure(_ voice: MixedVoicePair) -> [MetricResult] {
    do { return try ofMixedVoice!(voice) } catch { return undefined(Undefined(error)) }
  }

  func undefined(_ reason: Undefined) -> [MetricResult] { figures.map { _ in .undefined(reason) } }

  /// All pair metrics.
  public static let all: [PairMetric] =
    [delay] + pitch + formants + timbre + intelligibility + artefacts

  /// The sound with which a voice is compared.
  package enum Reference: String {
    /// The same singer at the target pitch; exists for synthetic recordings only.
    case oracle
    /// The subject's input.
    case lead
    /// The oracle if there is one, otherwise the lead.
    case oracleOrLead

    var text: String {
      switch self {
      case .oracle: "synthetic recordings, against the oracle"
      case .lead: "against the subject's input"
      case .oracleOrLead: "against the oracle if there is one, otherwise the subject's input"
      }
    }
  }
}

extension PairMetric {
  static let delay = PairMetric(
    [Metric.alignment],
    domain: "sounds with onsets and ends; waveforms or loudness that correlate at one lag"
  ) { pair in
    if case .given = pair.delay { throw Undefined(.delayGiven, "the delay was given") }
    return [.value(pair.delay.ms!, count: 1)]
  }

  static let pitch = [Metric.pitchErrors, [Metric.missing], [Metric.ghost], Metric.vibrato]
    .map(PairMetric.init)

  /// The figures of a voice, measured on a pair of sounds: the reference, moved by the shift, is the
  /// target of the test.
  private init(_ figures: [VoiceFigure]) {
    self.init(figures.map(\.figure), domain: figures[0].domain, needsDelay: false) { pair in
      if let reason = pair.delay.noTargets { throw reason }
      return figures.map { $0.measure(pair.voice) }
    }
  }

  /// Figures of two files that runs measure in another way, with the id used in runs. A run knows the
  /// law of the engine.
  public static let ofSoundsOnly: [(metric: PairMetric, figure: Metric.Figure, inRuns: String)] = [
    (tremolo, tremolo.figures[0], "tremolo.depth"),
    (tremolo, tremolo.figures[1], "tremolo.rate"),
  ]
}

/// A figure with its measurement.
public struct PairFinding: Sendable {
  public let figure: Metric.Figure
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
