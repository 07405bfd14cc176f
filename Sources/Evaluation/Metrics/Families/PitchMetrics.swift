import Analyzer
import Corpus
import Statistics

extension Metric {
  private static let domain =
    "voiced frames of the lead with a target within 60 to 1200 Hz, at least 20; a delay whose "
    + "uncertainty moves the median by at most 1 cent"

  /// Errors of the pitch in each frame.
  static let pitchErrors: [VoiceFigure] = [
    ofErrors(
      .init(
        "pitch.abs_error", version: 8, unit: "cents", .lower,
        "Pitch error: distance of the voice from its target, median over frames")
    ) { .summary($0) { Statistics.median($0.map(abs))! } },
    ofErrors(
      // The ideal voice itself has 2 to 3 cents in the 95th percentile (docs/data/validity.csv).
      .init(
        "pitch.abs_error.p95", version: 8, unit: "cents", .lower,
        "Largest pitch errors: distance of the voice from its target, 95th percentile over frames",
        effect: 5)
    ) { .summary($0) { Statistics.quantile($0.map(abs), 0.95)! } },
    ofErrors(
      .init(
        "pitch.bias", version: 8, unit: "cents", .target,
        "Pitch bias: signed deviation from the target, median; positive is sharp")
    ) { .summary($0) { Statistics.median($0)! } },
    within(5, "Frames within 5 cents of the target"),
    within(10, "Frames within 10 cents of the target"),
    within(25, "Frames within 25 cents, the listeners' limit between in tune and out of tune"),
    within(50, "Frames within 50 cents, the limit used in melody extraction"),
    // Octave errors in 1 % of the notes are heard at once; half of that counts.
    ofErrors(
      .init(
        "pitch.gross_errors", version: 9, unit: "share", .lower, "Frames more than 200 cents off",
        effect: 0.005), isCoarse: true
    ) { .share(of: $0) { abs($0) > 200 } },
    ofErrors(
      .init(
        "pitch.octave_errors", version: 9, unit: "share", .lower,
        "Frames within 50 cents of an octave above or below the target", effect: 0.005),
      isCoarse: true
    ) { .share(of: $0) { abs(abs($0) - 1200) <= 50 } },
  ]

  static let vibrato: [VoiceFigure] = [
    ofVibrato(
      .init(
        "pitch.vibrato_extent_ratio", version: 4, unit: "ratio", .target,
        "Extent of the voice's vibrato over that of its target, median over notes", effect: 0.05)
    ) { wanted, heard in heard.extentCents / wanted.extentCents },
    ofVibrato(
      .init(
        "pitch.vibrato_rate_error", version: 4, unit: "Hz", .target,
        "Rate of the voice's vibrato less that of its target, median over notes")
    ) { wanted, heard in heard.rateHz - wanted.rateHz },
  ]

  static let pitch: [Metric] =
    pitchErrors.map { $0.metric(needsDelay: false) } + [
      ofResiduals(
        .init(
          "pitch.residual", version: 8, unit: "cents", .lower,
          "Pitch error without the lag: distance of the voice from its target after its lag, "
            + "median over frames")
      ) { .summary($0) { Statistics.median($0.map(abs))! } },
      ofResiduals(
        .init(
          "pitch.residual.p95", version: 8, unit: "cents", .lower,
          "Largest pitch errors without the lag: distance of the voice from its target after its "
            + "lag, 95th percentile over frames")
      ) { .summary($0) { Statistics.quantile($0.map(abs), 0.95)! } },
      ofResiduals(
        .init(
          "pitch.residual.within_25", version: 8, unit: "share", .higher,
          "Frames within 25 cents of the target after the lag")
      ) { .share(of: $0) { abs($0) <= 25 } },
      // Its effect lies above the uncertainty of the lag and of the delay themselves.
      ofLag(
        .init(
          "pitch.lag", version: 6, unit: "ms", .target,
          "Lag of the pitch: shift of the voice's contour that explains its distance from the target "
            + "best, beyond the delay of the voice's sound, less that of the same judge on the input; "
            + "positive is late",
          effect: 1)
      ) { lag, observation in lag.lagMs - observation.judgeLagMs },
      ofLag(
        .init(
          "pitch.lag.deviation", version: 6, unit: "ms", .lower,
          "Unsteadiness of the pitch's lag: standard deviation of pitch.lag",
          describes: true)
      ) { lag, _ in lag.deviationMs },
      Metric(
        .init(
          "pitch.judge_error.median", version: 7, unit: "cents", .lower,
          "Pitch error by a second tracker, a harmonic least-squares fit"),
        domain: "stems; " + domain
      ) { observation in
        try observation.byStem { voice, _, _ in
          let errors = voice.secondTrack.map(voice.errorsCents) ?? []
          if let reason = voice.uncertainty(ofErrors: errors) { return .undefined(reason) }
          return MetricResult.summary(errors, min: 5) { Statistics.median($0.map(abs))! }
            .replacedIfHidden(by: voice)
        }
      },
    ] + vibrato.map { $0.metric() }

  /// - Parameter isCoarse: true for wrong notes, beside which the errors of an uncertain delay are small.
  private static func ofErrors(
    _ figure: Figure, isCoarse: Bool = false,
    _ reduce: @escaping @Sendable ([Double]) -> MetricResult
  ) -> VoiceFigure {
    VoiceFigure(figure, domain: domain) { voice in
      if isCoarse { return reduce(voice.coarseErrorsCents) }
      let errors = voice.errorsCents(of: voice.heard)
      if let reason = voice.uncertainty(ofErrors: errors) { return .undefined(reason) }
      return reduce(errors)
    }
  }

  private static func within(_ limit: Int, _ text: String) -> VoiceFigure {
    ofErrors(.init("pitch.within_\(limit)", version: 8, unit: "share", .higher, text)) {
      .share(of: $0) { abs($0) <= Double(limit) }
    }
  }

  private static func ofVibrato(
    _ figure: Figure,
    _ part: @escaping @Sendable (_ wanted: VibratoFit, _ heard: VibratoFit) -> Double
  ) -> VoiceFigure {
    VoiceFigure(figure, domain: "notes with a vibrato in both the target and the voice") { voice in
      let values = voice.vibrati.map { part($0.wanted, $0.heard) }
      return Statistics.median(values).map { .value($0, count: values.count) }
        ?? .undefined(.noVibrato)
    }
  }

  private static func ofResiduals(
    _ figure: Figure, _ reduce: @escaping @Sendable ([Double]) -> MetricResult
  ) -> Metric {
    VoiceFigure(
      figure, domain: domain + "; without a shift where the lag is not known to 3 ms"
    ) { voice in
      if let reason = voice.uncertainty(ofErrors: voice.errorsCents(of: voice.heard)) {
        return .undefined(reason)
      }
      return reduce(voice.residualsCents)
    }.metric()
  }

  private static func ofLag(
    _ figure: Figure, _ part: @escaping @Sendable (ContourLag, Observation) -> Double
  ) -> Metric {
    Metric(
      figure,
      domain: "voices with a target for at least 0.5 s, whose pitch moves enough to tell within "
        + "0.5 ms (standard deviation); -40 to 60 ms; a delay that the loudness tells"
    ) { observation in
      try observation.byVoice(without: \.noTargets) { voice, _ in
        if let reason = voice.loudness.unknown ?? voice.delay.unknown { throw reason }
        var lag = try voice.lag.get()
        lag.lagMs += voice.delay.trajectory!.meanMs - voice.loudness.ms!
        return .value(part(lag, observation), count: voice.judgedFrames.count)
      }
    }
  }
}

extension Metric {
  /// Certainty of the lead's pitch, on which the errors of the voices depend.
  static let truth: [Metric] = [
    ofJury(
      .init(
        "truth.excluded", unit: "share", .lower,
        "Voiced frames of the lead that are left out because two trackers disagree; 0 if the pitch "
          + "is exact", describes: true)
    ) { $0.excludedShare },
    ofJury(
      .init(
        "truth.uncertainty", unit: "cents", .lower,
        "Difference of two trackers on the other frames, median; 0 if the pitch is exact",
        describes: true)
    ) { Statistics.median($0.uncertaintyCents.compactMap(\.self)) ?? .nan },
  ]

  private static func ofJury(
    _ figure: Figure, _ part: @escaping @Sendable (JuryTruth) -> Double
  ) -> Metric {
    Metric(figure, domain: "recordings with a voice") { observation in
      if observation.isProbe { throw Undefined.probe }
      guard let jury = observation.jury else {
        return [.value(0, count: observation.lead.f0Hz.count { $0 > 0 })]
      }
      guard jury.voicedCount > 0 else {
        throw Undefined(.tooLittleVoice, "neither tracker hears a voice")
      }
      return [.value(part(jury), count: jury.voicedCount)]
    }
  }
}
