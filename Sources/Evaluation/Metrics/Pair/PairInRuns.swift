import Analyzer

extension PairMetric {
  /// The figures as metrics of each voice of a cell, with the same ids and methods as those of `compare`
  /// for two files; none for figures of two files only.
  var metrics: [Metric] {
    guard let reference else { return [] }
    return figures.enumerated().map { place, figure in
      Metric(figure, domain: "\(domain); \(reference.text)") { observation in
        if let mix = observation.mix, isMeasuredInMixes {
          return try observation.byVoice { voice, index in
            results(of: voice, index, inside: mix, observation, reference)[place]
              .replacedIfHidden(by: voice)
          }
        }
        return try observation.byStem(needsDelay: needsDelay) { mix in
          try results(of: mix, observation, reference)[place]
        } _: { voice, _, index in
          results(of: voice, index, observation, reference)[place]
        }
      }
    }
  }

  /// The figures, which come from one analysis.
  private func key(_ reference: Reference) -> VoiceAnalyses.ResultKey {
    .init(pair: figures[0].id, reference: reference)
  }

  private func results(
    of voice: VoiceObservation, _ index: Int, _ observation: Observation, _ reference: Reference
  ) -> [MetricResult] {
    voice.analyses.results(key(reference)) {
      switch observation.pair(ofVoice: index, against: reference) {
      case .success(let sounds): measure(sounds)
      case .failure(let reason): undefined(reason)
      }
    }
  }

  private func results(
    of voice: VoiceObservation, _ index: Int, inside mix: MixObservation,
    _ observation: Observation, _ reference: Reference
  ) -> [MetricResult] {
    voice.analyses.results(key(reference)) {
      switch observation.reference(ofVoice: index, reference) {
      case .success(let sound):
        measure(
          MixedVoicePair(
            reference: sound, harmonics: mix.voices.harmonics[index],
            delaySeconds: mix.delay.seconds!))
      case .failure(let reason): undefined(reason)
      }
    }
  }

  /// Returns all figures of a mix of voices beside the mix of their ideals.
  private func results(
    of mix: MixObservation, _ observation: Observation, _ reference: Reference
  ) throws -> [MetricResult] {
    guard suitsMixes else { throw Undefined.noStems }
    return mix.results(key(reference)) {
      switch observation.pair(ofMix: mix, against: reference) {
      case .success(let sounds): measure(sounds)
      case .failure(let reason): undefined(reason)
      }
    }
  }
}

extension Observation {
  /// Returns a mix with its reference, aligned by the delay of the output. The ideal of a mix is the
  /// sum of the oracle's voices.
  fileprivate func pair(
    ofMix mix: MixObservation, against reference: PairMetric.Reference
  ) -> Result<SoundPair, Undefined> {
    choice(reference, oracle?.mix).flatMap { other in
      mix.pairs(ObjectIdentifier(other)) { Self.pair(mix.sound, other, mix.delay) }
    }
  }

  /// Returns a voice with its reference, aligned by the voice's delay.
  package func pair(
    ofVoice voice: Int, against reference: PairMetric.Reference
  ) -> Result<SoundPair, Undefined> {
    guard let sound = voices[voice].sound else { return .failure(.noStems) }
    return self.reference(ofVoice: voice, reference).flatMap { other in
      voices[voice].analyses.pairs(ObjectIdentifier(other)) {
        Self.pair(sound, other, voices[voice].delay)
      }
    }
  }

  private static func pair(
    _ sound: AnalyzedSound, _ other: AnalyzedSound, _ delay: SoundDelay
  ) -> Result<SoundPair, Undefined> {
    Result { () throws(SoundPair.Failure) in
      try SoundPair(sound, against: other, delay: delay.aligning)
    }.mapError { Undefined($0) }
  }

  /// Returns the sound with which a voice is compared.
  fileprivate func reference(
    ofVoice voice: Int, _ reference: PairMetric.Reference
  ) -> Result<AnalyzedSound, Undefined> {
    choice(reference, oracle.flatMap { voice < $0.sounds.count ? $0.sounds[voice] : nil })
  }

  private func choice(
    _ reference: PairMetric.Reference, _ ideal: AnalyzedSound?
  ) -> Result<AnalyzedSound, Undefined> {
    switch (reference, ideal) {
    case (.oracle, nil):
      .failure(Undefined(.noOracle, "only the synthetic singer has an oracle"))
    case (.lead, _), (.oracleOrLead, nil): .success(leadSound)
    case (.oracle, let ideal?), (.oracleOrLead, let ideal?): .success(ideal)
    }
  }
}

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
