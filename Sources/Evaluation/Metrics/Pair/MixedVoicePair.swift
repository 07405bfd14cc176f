import Analyzer

/// A voice inside a mix beside a sound that it should resemble.
struct MixedVoicePair: Sendable {
  let reference: AnalyzedSound
  /// Harmonics of the voice below 3.9 kHz, at times of the mix.
  let harmonics: [HarmonicLevels]
  /// Delay of the mix.
  let delaySeconds: Double

  /// Change of the slope of the harmonics' levels; `nil` if they span less than an octave.
  var tiltChangeDbPerOctave: Double? {
    let sampler = HarmonicSampler(of: reference.finite, ceilingHz: 5500)
    return SpectralTilt.changeDbPerOctave(
      in: harmonics.compactMap { voice in
        let time = voice.timeSeconds - delaySeconds
        return reference.track.f0Hz(atSeconds: time)
          .flatMap { sampler.levels(atSeconds: time, expectedHz: $0) }
          .map { (reference: $0, voice: voice) }
      })
  }
}
