import Analyzer
import Statistics

/// A figure of one voice beside its target, measured alike in runs and in comparisons of two sounds.
struct VoiceFigure: Sendable {
  let figure: PairMetric.Figure
  let version: Int
  let domain: String
  let measure: @Sendable (VoiceObservation) -> MetricResult

  init(
    _ id: String, version: Int = 1, unit: String, _ direction: Metric.Direction, _ summary: String,
    domain: String, measure: @escaping @Sendable (VoiceObservation) -> MetricResult
  ) {
    figure = .init(id, unit: unit, direction, summary)
    (self.version, self.domain, self.measure) = (version, domain, measure)
  }

  /// The figure of each voice of a cell.
  ///
  /// - Parameters:
  ///   - needsStems: true if it has no value inside a mix.
  ///   - needsDelay: false if a steady tone has a value without a delay.
  func metric(needsStems: Bool = false, needsDelay: Bool = true) -> Metric {
    Metric(
      figure.id, version: version, unit: figure.unit, figure.direction, figure.summary,
      domain: (needsStems ? "stems; " : "") + domain
    ) { observation in
      needsStems
        ? Metric.ofStems(observation) { voice, _, index in measure(voice).ofVoice(index) }
        : Metric.ofVoices(observation, needsDelay: needsDelay) { voice, index in
          measure(voice).ofVoice(index).explained(by: voice)
        }
    }
  }
}

extension PairMetric {
  /// The figures of a voice, measured on a pair of sounds: the reference, moved by the shift, is the
  /// target of the test.
  init(_ figures: [VoiceFigure]) {
    self.init(figures.map(\.figure), domain: figures[0].domain) { pair in
      figures.map { $0.measure(pair.voice) }
    }
  }
}
