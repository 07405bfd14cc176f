import Statistics

/// A figure of one voice beside its target, measured alike in runs and in comparisons of two sounds.
struct VoiceFigure: Sendable {
  let figure: Metric.Figure
  let domain: String
  let measure: @Sendable (VoiceObservation) -> MetricResult

  init(
    _ figure: Metric.Figure, domain: String,
    measure: @escaping @Sendable (VoiceObservation) -> MetricResult
  ) {
    (self.figure, self.domain, self.measure) = (figure, domain, measure)
  }

  /// The figure of each voice of a cell.
  ///
  /// - Parameters:
  ///   - needsStems: true if it has no value inside a mix.
  ///   - needsDelay: false if a steady tone has a value without a delay.
  func metric(needsStems: Bool = false, needsDelay: Bool = true) -> Metric {
    Metric(figure, domain: (needsStems ? "stems; " : "") + domain) { observation in
      let missing: (SoundDelay) -> Undefined? = { needsDelay ? $0.noTargets : nil }
      return try needsStems
        ? observation.byStem { voice, _, _ in measure(voice) }
        : observation.byVoice(without: missing) { voice, _ in
          measure(voice).replacedIfHidden(by: voice)
        }
    }
  }
}

extension MetricResult {
  /// Returns a summary of the values of frames, undefined if they are too few.
  static func summary(
    _ values: [Double], min: Int = 20, _ reduce: ([Double]) -> Double
  ) -> MetricResult {
    values.count < min
      ? .undefined(.tooLittleVoice, "only \(values.count) frames have a pitch to compare")
      : .value(reduce(values), count: values.count)
  }

  /// Returns the share of frames that pass a test, undefined if they are too few.
  static func share(of values: [Double], _ test: (Double) -> Bool) -> MetricResult {
    summary(values) { Double($0.count(where: test)) / Double($0.count) }
  }

  /// Share of a voice's frames from which a value says little about the voice if the others are hidden.
  private static let maxHidden = 0.8

  /// Returns the cause of a missing value where the delay is unknown, where most of the target lies
  /// outside of the range, and where other voices of the mix hide or cover this one: in half of the frames if
  /// there is no value, in four fifths if there is one. Any other result is returned as it is.
  func replacedIfHidden(by voice: VoiceObservation) -> MetricResult {
    var (maxHidden, shown) = (Self.maxHidden, voice.judgedFrames)
    if case .undefined(let reason) = outcome {
      if let reason = voice.delay.noTargets { return .undefined(reason) }
      guard reason.code == .tooLittleVoice else { return self }
      if let hz = Statistics.median(voice.outsideHz),
        voice.outsideHz.count > voice.wanted.f0Hz.count(where: { $0 > 0 })
      {
        let range = VoiceObservation.rangeHz
        return .undefined(
          hz > range.upperBound ? .pitchTooHigh : .pitchTooLow,
          "the target lies at \(Int(hz.rounded())) Hz; pitch is judged from \(Int(range.lowerBound)) "
            + "to \(Int(range.upperBound)) Hz")
      }
      (maxHidden, shown) = (0.5, voice.apartFrames)
    }
    let wanted = voice.target.f0Hz.count { $0 > 0 }
    let hidden = wanted - shown.count
    guard Double(hidden) > maxHidden * Double(wanted) else { return self }
    return .undefined(
      .inseparable,
      "other voices of the mix hide this one in \(hidden) of \(wanted) frames; stems would show it")
  }
}
