extension Metric {
  static let timbre: [Metric] =
    ofPairs(
      PairMetric.formants, against: .oracleOrLead,
      versions: [
        "formant.f1_shift": 5, "formant.f2_shift": 3, "formant.f3_shift": 3, "formant.ratio": 4,
      ])
    + ofPairs([PairMetric.envelope], against: .oracleOrLead, versions: ["envelope.lsd": 3])
    + ofPairs([PairMetric.cepstrum], against: .oracle, versions: ["timbre.mcd": 2])
    + ofPairs([PairMetric.tilt, PairMetric.harmonicity], against: .oracleOrLead)

  /// Measures that need equal pitch are taken against the oracle only.
  static let intelligibility: [Metric] =
    (ofPairs(
      [PairMetric.stoi, PairMetric.covariance], against: .oracle,
      versions: [
        "intelligibility.stoi": 4, "intelligibility.estoi": 4, "intelligibility.ncm": 3,
      ])
    + ofPairs(
      [PairMetric.vocodedStoi, PairMetric.similarity], against: .oracleOrLead,
      versions: [
        "intelligibility.stoi.vocoded": 3, "intelligibility.estoi.vocoded": 3,
        "intelligibility.modulation": 3,
      ])).map(\.ofWords)

  /// The same metric, undefined on a recording without words.
  private var ofWords: Metric {
    Metric(
      id, version: version, unit: unit, direction, summary,
      domain: "speech and sung words: \(domain)"
    ) { observation in
      observation.recording.holdsWords || observation.isProbe
        ? measure(observation) : [.undefined(.noWords)]
    }
  }
}

extension Metric {
  /// The sound with which a voice is compared.
  package enum Reference: String {
    /// The same singer at the target pitch; exists for synthetic recordings only.
    case oracle
    /// The subject's input.
    case lead
    /// The oracle if there is one, otherwise the lead.
    case oracleOrLead

    fileprivate var words: String {
      switch self {
      case .oracle: "synthetic recordings, against the oracle"
      case .lead: "against the subject's input"
      case .oracleOrLead: "against the oracle if there is one, otherwise the subject's input"
      }
    }
  }

  /// Returns the figures of pairs as metrics of each voice of a cell, with the same ids and methods
  /// as those of `compare` for two files.
  ///
  /// - Parameter versions: versions other than 1, by id.
  static func ofPairs(
    _ pairs: [PairMetric], against reference: Reference, versions: [String: Int] = [:]
  ) -> [Metric] {
    pairs.flatMap { pair in
      pair.figures.enumerated().map { place, figure in
        Metric(
          figure.id, version: versions[figure.id] ?? 1, unit: figure.unit, figure.direction,
          figure.summary, domain: "\(pair.domain); \(reference.words)"
        ) { observation in
          if let mix = observation.mix, let measure = pair.measureInMix {
            return ofVoices(observation) { voice, index in
              findings(pair, measure, of: voice, index, inside: mix, observation, reference)[place]
                .ofVoice(index).explained(by: voice)
            }
          }
          return ofStems(observation, needsDelay: pair.needsDelay) { mix in
            findings(pair, of: mix, observation, reference)[place]
          } _: { voice, _, index in
            findings(pair, of: voice, index, observation, reference)[place].ofVoice(index)
          }
        }
      }
    }
  }

  /// Returns all figures of a pair, which one analysis provides.
  private static func findings(
    _ pair: PairMetric, of voice: VoiceObservation, _ index: Int, _ observation: Observation,
    _ reference: Reference
  ) -> [MetricResult] {
    voice.analyses.results(.init(pair: pair.figures[0].id, reference: reference)) {
      switch observation.pair(ofVoice: index, against: reference) {
      case .success(let sounds): return pair.measure(sounds)
      case .failure(let failure):
        return pair.figures.map { _ in .undefined(failure) }
      }
    }
  }
}

extension Metric {
  /// Returns all figures of a voice inside a mix.
  private static func findings(
    _ pair: PairMetric, _ measure: (MixedVoicePair) -> [MetricResult], of voice: VoiceObservation,
    _ index: Int, inside mix: MixObservation, _ observation: Observation, _ reference: Reference
  ) -> [MetricResult] {
    voice.analyses.results(.init(pair: pair.figures[0].id, reference: reference)) {
      switch observation.reference(ofVoice: index, reference) {
      case .success(let sound):
        measure(
          MixedVoicePair(
            reference: sound, harmonics: mix.voices.harmonics[index],
            delaySeconds: mix.delay.seconds!))
      case .failure(let failure): pair.figures.map { _ in .undefined(failure) }
      }
    }
  }

  /// Returns all figures of a mix of voices beside the mix of their ideals.
  private static func findings(
    _ pair: PairMetric, of mix: MixObservation, _ observation: Observation, _ reference: Reference
  ) -> [MetricResult] {
    guard pair.suitsMixes else { return pair.figures.map { _ in .undefined(.noStems) } }
    return mix.results(.init(pair: pair.figures[0].id, reference: reference)) {
      switch observation.pair(ofMix: mix, against: reference) {
      case .success(let sounds): return pair.measure(sounds)
      case .failure(let failure): return pair.figures.map { _ in .undefined(failure) }
      }
    }
  }
}

extension Observation {
  /// Returns a mix with its reference, aligned by the delay of the output. The ideal of a mix is the
  /// sum of the oracle's voices.
  fileprivate func pair(
    ofMix mix: MixObservation, against reference: Metric.Reference
  ) -> Result<SoundPair, Undefined> {
    let other: AnalyzedSound
    switch (reference, oracle) {
    case (.oracle, nil):
      return .failure(Undefined(.noOracle, "only the synthetic singer has an oracle"))
    case (.lead, _), (.oracleOrLead, nil): other = leadSound
    case (.oracle, let oracle?), (.oracleOrLead, let oracle?): other = oracle.mix
    }
    return mix.pairs(ObjectIdentifier(other)) {
      Result { () throws(Undefined) in
        try SoundPair(mix.sound, against: other, delay: mix.delay.aligning)
      }
    }
  }

  /// Returns a voice with its reference, aligned by the voice's delay.
  package func pair(
    ofVoice voice: Int, against reference: Metric.Reference
  ) -> Result<SoundPair, Undefined> {
    guard let sound = voices[voice].sound else { return .failure(.noStems) }
    return self.reference(ofVoice: voice, reference).flatMap { other in
      voices[voice].analyses.pairs(ObjectIdentifier(other)) {
        Result { () throws(Undefined) in
          try SoundPair(sound, against: other, delay: voices[voice].delay.aligning)
        }
      }
    }
  }

  /// Returns the sound with which a voice is compared.
  fileprivate func reference(
    ofVoice voice: Int, _ reference: Metric.Reference
  ) -> Result<AnalyzedSound, Undefined> {
    let ideal = oracle.flatMap { voice < $0.sounds.count ? $0.sounds[voice] : nil }
    switch (reference, ideal) {
    case (.oracle, nil):
      return .failure(Undefined(.noOracle, "only the synthetic singer has an oracle"))
    case (.lead, _), (.oracleOrLead, nil): return .success(leadSound)
    case (.oracle, let ideal?), (.oracleOrLead, let ideal?): return .success(ideal)
    }
  }
}
