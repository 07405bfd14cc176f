import Analyzer
import Statistics

extension Metric {
  /// Share of a mix that can be judged, and the certainty.
  static let mix: [Metric] = [
    Metric(
      "mix.told", unit: "share", .higher,
      "Frames with a target in which the mix tells whether the voice is there",
      domain: "mixes of several voices; frames with a target within 60 to 1200 Hz, at least 20"
    ) { observation in
      ofMixes(observation) { mix, voice, index in
        let wanted = voice.target.f0Hz.count { $0 > 0 }
        guard wanted >= 20 else {
          return .undefined(.tooLittleVoice, "only \(wanted) frames have a target", voice: index)
        }
        return .value(
          Double(voice.toldFrames.count) / Double(wanted), voice: index, count: wanted)
      }
    },
    Metric(
      "mix.uncertainty", unit: "cents", .lower,
      "Standard deviation of the voice's pitch that the fit states, median over frames",
      domain: "mixes of several voices; frames in which the voice has its target and is heard, at "
        + "least 20"
    ) { observation in
      ofMixes(observation) { mix, voice, index in
        let deviations = voice.toldFrames.compactMap { mix.tracks[index].uncertaintyCents[$0] }
        return summary(deviations) { Statistics.median($0)! }.ofVoice(index).explained(by: voice)
      }
    },
  ]

  private static func ofMixes(
    _ observation: Observation, _ measure: (MixObservation, VoiceObservation, Int) -> MetricResult
  ) -> [MetricResult] {
    guard let mix = observation.mix else {
      return [
        .undefined(
          observation.isProbe
            ? .probe : Undefined(.stemsGiven, "the subject gives each voice alone"))
      ]
    }
    return ofVoices(observation) { voice, index in measure(mix, voice, index) }
  }
}
