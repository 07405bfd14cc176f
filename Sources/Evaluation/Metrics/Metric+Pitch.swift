import Analyzer
import Statistics

extension Metric {
  private static let domain =
    "voiced frames of the lead with a target within 60 to 1200 Hz, at least 20"

  /// Errors of the pitch in each frame.
  static let pitchErrors: [VoiceFigure] = [
    ofErrors(
      "pitch.abs_error", unit: "cents", .lower,
      "Distance of the voice from its target, median over frames"
    ) { Statistics.median($0.map(abs))! },
    ofErrors(
      "pitch.abs_error.p95", unit: "cents", .lower,
      "Distance of the voice from its target, 95th percentile over frames"
    ) { Statistics.quantile($0.map(abs), 0.95)! },
    ofErrors(
      "pitch.bias", unit: "cents", .target,
      "Signed deviation from the target, median; positive is sharp"
    ) { Statistics.median($0)! },
    within(5, "Frames within 5 cents of the target"),
    within(10, "Frames within 10 cents of the target"),
    within(
      25, "Frames within 25 cents, the listeners' limit between in tune and out of tune"),
    within(50, "Frames within 50 cents, the limit used in melody extraction"),
    ofErrors(
      "pitch.gross_errors", unit: "share", .lower, "Frames more than 200 cents off"
    ) { share(of: $0) { abs($0) > 200 } },
    ofErrors(
      "pitch.octave_errors", unit: "share", .lower,
      "Frames within 50 cents of an octave above or below the target"
    ) { share(of: $0) { abs(abs($0) - 1200) <= 50 } },
  ]

  static let vibrato: [VoiceFigure] = [
    ofVibrato(
      "pitch.vibrato_extent_ratio", unit: "ratio",
      "Extent of the voice's vibrato over that of its target, median over notes"
    ) { wanted, heard in heard.extentCents / wanted.extentCents },
    ofVibrato(
      "pitch.vibrato_rate_error", unit: "Hz",
      "Rate of the voice's vibrato less that of its target, median over notes"
    ) { wanted, heard in heard.rateHz - wanted.rateHz },
  ]

  static let pitch: [Metric] =
    pitchErrors.map { $0.metric(needsDelay: false) } + [
      ofResiduals(
        "pitch.residual", unit: "cents", .lower,
        "Distance of the voice from its target after its lag, median over frames: what is out of "
          + "tune, not late"
      ) { Statistics.median($0.map(abs))! },
      ofResiduals(
        "pitch.residual.p95", unit: "cents", .lower,
        "Distance of the voice from its target after its lag, 95th percentile over frames"
      ) { Statistics.quantile($0.map(abs), 0.95)! },
      ofResiduals(
        "pitch.residual.within_25", unit: "share", .higher,
        "Frames within 25 cents of the target after the lag"
      ) { share(of: $0) { abs($0) <= 25 } },
      ofLag(
        "pitch.lag", .target,
        "Shift of the voice's pitch contour that explains its distance from the target best, beyond "
          + "the delay of the voice's sound, less that of the same judge on the input; positive is late"
      ) { lag, observation in lag.lagMs - observation.judgeLagMs },
      ofLag("pitch.lag.deviation", .lower, "Standard deviation of pitch.lag") { lag, _ in
        lag.deviationMs
      },
      Metric(
        "pitch.judge_error.median", version: 4, unit: "cents", .lower,
        "pitch.abs_error by a second tracker, a harmonic least-squares fit",
        domain: "stems; " + domain
      ) { observation in
        ofStems(observation) { voice, _, index in
          summary(voice.judged.map(voice.errorsCents) ?? [], least: 5) {
            Statistics.median($0.map(abs))!
          }.ofVoice(index).explained(by: voice)
        }
      },
    ] + vibrato.map { $0.metric() }

  private static func ofErrors(
    _ id: String, unit: String, _ direction: Direction, _ text: String,
    _ reduce: @escaping @Sendable ([Double]) -> Double
  ) -> VoiceFigure {
    VoiceFigure(id, version: 5, unit: unit, direction, text, domain: domain) { voice in
      summary(voice.errorsCents(of: voice.heard), reduce)
    }
  }

  private static func ofResiduals(
    _ id: String, unit: String, _ direction: Direction, _ text: String,
    _ reduce: @escaping @Sendable ([Double]) -> Double
  ) -> Metric {
    VoiceFigure(
      id, version: 5, unit: unit, direction, text,
      domain: domain + "; without a shift where the lag is not known to 3 ms"
    ) { summary($0.residualsCents, reduce) }.metric()
  }

  private static func ofLag(
    _ id: String, _ direction: Direction, _ text: String,
    _ part: @escaping @Sendable (ContourLag, Observation) -> Double
  ) -> Metric {
    Metric(
      id, version: 3, unit: "ms", direction, text,
      domain: "voices with a target for at least 0.5 s, whose pitch moves enough to tell within "
        + "0.5 ms (standard deviation); -40 to 60 ms; a delay that the loudness tells"
    ) { observation in
      ofVoices(observation) { voice, index in
        if case .pitch(_, let reason) = voice.delay { return .undefined(reason, voice: index) }
        switch voice.lag {
        case .success(let lag):
          return .value(part(lag, observation), voice: index, count: voice.toldFrames.count)
        case .failure(let failure): return .undefined(Undefined(failure), voice: index)
        }
      }
    }
  }

  private static func within(_ limit: Int, _ text: String) -> VoiceFigure {
    ofErrors("pitch.within_\(limit)", unit: "share", .higher, text) {
      share(of: $0) { abs($0) <= Double(limit) }
    }
  }

  private static func ofVibrato(
    _ id: String, unit: String, _ text: String,
    _ part: @escaping @Sendable (_ wanted: VibratoFit, _ heard: VibratoFit) -> Double
  ) -> VoiceFigure {
    VoiceFigure(
      id, version: 2, unit: unit, .target, text,
      domain: "notes with a vibrato in both the target and the voice"
    ) { voice in
      let values = voice.vibrati.map { part($0.wanted, $0.heard) }
      return Statistics.median(values).map { .value($0, count: values.count) }
        ?? .undefined(.noVibrato)
    }
  }

  static func summary(
    _ values: [Double], least: Int = 20, _ reduce: ([Double]) -> Double
  ) -> MetricResult {
    values.count < least
      ? .undefined(.tooLittleVoice, "only \(values.count) frames have a pitch to compare")
      : .value(reduce(values), count: values.count)
  }

  static func share(of values: [Double], _ test: (Double) -> Bool) -> Double {
    Double(values.count(where: test)) / Double(values.count)
  }

  /// Returns one measurement for each voice, or the reason why a probe has none.
  ///
  /// - Parameter needsDelay: true if it is undefined for a voice whose delay is unknown.
  static func ofVoices(
    _ observation: Observation, needsDelay: Bool = true,
    _ measure: (VoiceObservation, Int) -> MetricResult
  ) -> [MetricResult] {
    if observation.isProbe { return [.undefined(.probe)] }
    return observation.voices.indices.filter { observation.judged?.contains($0) ?? true }
      .map { index in
        let voice = observation.voices[index]
        if needsDelay, let reason = voice.delay.unknown { return .undefined(reason, voice: index) }
        return measure(voice, index)
      }
  }

  /// Returns one measurement for each voice that the subject gives alone. A mix of voices gets one,
  /// of the whole output.
  ///
  /// - Parameters:
  ///   - needsDelay: true if it is undefined where the delay is unknown.
  ///   - inMix: measures the mix; by default it is undefined.
  static func ofStems(
    _ observation: Observation, needsDelay: Bool = true,
    inMix: ((MixObservation) -> MetricResult)? = nil,
    _ measure: (VoiceObservation, AnalyzedSound, Int) -> MetricResult
  ) -> [MetricResult] {
    if let mix = observation.mix {
      guard let inMix else { return [.undefined(.noStems)] }
      if needsDelay, let reason = mix.delay.unknown { return [.undefined(reason)] }
      return [inMix(mix)]
    }
    return ofVoices(observation, needsDelay: needsDelay) { voice, index in
      voice.sound.map { measure(voice, $0, index) } ?? .undefined(.noStems, voice: index)
    }
  }
}

extension MetricResult {
  /// Share of a voice's frames from which a value says little about the voice if the others are hidden.
  private static let mostHidden = 0.8

  /// Names the cause of a missing value where the delay is unknown, where most of the target lies outside of the range, and where other
  /// voices of the mix hide this one: in half of the frames if there is no value, in four fifths if there is
  /// one.
  func explained(by voice: VoiceObservation) -> MetricResult {
    if case .undefined = outcome, let reason = voice.delay.unknown {
      return .undefined(reason, voice: self.voice)
    }
    if case .undefined(let reason) = outcome, reason.code == .tooLittleVoice,
      let hz = Statistics.median(voice.outsideHz),
      voice.outsideHz.count > voice.wanted.f0Hz.count(where: { $0 > 0 })
    {
      let range = VoiceObservation.rangeHz
      return .undefined(
        hz > range.upperBound ? .pitchTooHigh : .pitchTooLow,
        "the target lies at \(Int(hz.rounded())) Hz; pitch is judged from \(Int(range.lowerBound)) to "
          + "\(Int(range.upperBound)) Hz", voice: self.voice)
    }
    let wanted = voice.target.f0Hz.count { $0 > 0 }
    let hidden = wanted - voice.toldFrames.count
    let share: Double
    switch outcome {
    case .value: share = Self.mostHidden
    case .undefined(let reason):
      guard reason.code == .tooLittleVoice else { return self }
      share = 0.5
    }
    guard Double(hidden) > share * Double(wanted) else { return self }
    return .undefined(
      .inseparable,
      "other voices of the mix hide this one in \(hidden) of \(wanted) frames; "
        + "stems would show it", voice: self.voice)
  }
}
