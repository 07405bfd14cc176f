import Analyzer

extension Metric {
  static let timbre: [Metric] = [
    Metric(
      "formant.ratio", version: 2, unit: "ratio", .target,
      "How far the formants moved: 1 kept, the pitch ratio where they moved along",
      domain: "voices below 500 Hz on both sides; envelopes that resemble each other"
    ) { observation in
      ofVoices(observation) { voice, index in
        do {
          let formants = try FormantRatio(
            of: voice.stem, voice.heard, from: observation.recording.signal, observation.lead,
            delaySeconds: observation.delay.seconds)
          return .value(formants.ratio, voice: index, count: formants.frameCount)
        } catch {
          return .undefined("\(error)", voice: index)
        }
      }
    }
  ]
}
