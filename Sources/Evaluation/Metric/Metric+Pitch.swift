import Analyzer

extension Metric {
  private static let domain =
    "voiced frames of the lead whose target lies within 60 to 1200 Hz; at least 20 of them"

  static let pitch: [Metric] = [
    ofErrors(
      "pitch.abs_error.median", unit: "cents", .lower,
      "Distance of each voice from its target, median over frames"
    ) { Statistics.median($0.map(abs))! },
    ofErrors(
      "pitch.abs_error.p95", unit: "cents", .lower,
      "Distance of each voice from its target that 95 % of frames stay within"
    ) { Statistics.quantile($0.map(abs), 0.95)! },
    ofErrors(
      "pitch.bias", unit: "cents", .target, "How sharp (flat, below 0) a voice is, median"
    ) { Statistics.median($0)! },
    ofErrors(
      "pitch.within_25", unit: "share", .higher,
      "Frames within 25 cents, where listeners draw the line between in tune and out of tune"
    ) { share(of: $0) { abs($0) <= 25 } },
    ofErrors(
      "pitch.gross_errors", unit: "share", .lower, "Frames more than 200 cents off"
    ) { share(of: $0) { abs($0) > 200 } },
    Metric(
      "pitch.judge_error.median", version: 2, unit: "cents", .lower,
      "As pitch.abs_error.median by the second judge, a harmonic least squares fit",
      domain: domain
    ) { observation in
      ofVoices(observation) { voice, index in
        summary(voice.errorsCents(of: voice.judged), index, least: 5) {
          Statistics.median($0.map(abs))!
        }
      }
    },
    Metric(
      "voice.missing", version: 2, unit: "share", .lower,
      "Frames in which the lead sings and the voice is not heard", domain: domain
    ) { observation in
      ofVoices(observation) { voice, index in
        let wanted = voice.target.f0Hz.indices.filter { voice.target.f0Hz[$0] > 0 }
        return summary(wanted.map { voice.heard.f0Hz[$0] }, index) { share(of: $0) { $0 == 0 } }
      }
    },
  ]

  private static func ofErrors(
    _ id: String, unit: String, _ direction: Direction, _ text: String,
    _ reduce: @escaping @Sendable ([Double]) -> Double
  ) -> Metric {
    Metric(id, version: 2, unit: unit, direction, text, domain: domain) { observation in
      ofVoices(observation) { voice, index in
        summary(voice.errorsCents(of: voice.heard), index, reduce)
      }
    }
  }

  private static func summary(
    _ values: [Double], _ voice: Int, least: Int = 20, _ reduce: ([Double]) -> Double
  ) -> Measurement {
    values.count < least
      ? .undefined("only \(values.count) frames have a pitch to compare", voice: voice)
      : .value(reduce(values), voice: voice, count: values.count)
  }

  private static func share(of values: [Double], _ test: (Double) -> Bool) -> Double {
    Double(values.count(where: test)) / Double(values.count)
  }

  /// One measurement for each voice; of a probe, one that says why there is none.
  static func ofVoices(
    _ observation: Observation, _ measure: (VoiceObservation, Int) -> Measurement
  ) -> [Measurement] {
    if observation.isProbe { return [.undefined("a probe has no voice")] }
    if observation.voices.isEmpty { return [.undefined("the subject gives no stems")] }
    return observation.voices.enumerated().map { measure($0.element, $0.offset) }
  }
}
