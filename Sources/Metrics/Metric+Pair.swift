extension Metric {
  static let timbre: [Metric] =
    ofPairs(
      PairMetric.formants, against: .oracleOrLead,
      versions: [
        "formant.f1_shift": 3, "formant.f2_shift": 2, "formant.f3_shift": 2, "formant.ratio": 3,
      ])
    + ofPairs([PairMetric.envelope], against: .oracleOrLead, versions: ["envelope.lsd": 2])
    + ofPairs([PairMetric.cepstrum], against: .oracle)
    + ofPairs([PairMetric.tilt, PairMetric.harmonicity], against: .oracleOrLead)

  /// Measures that need equal pitch are taken against the oracle only.
  static let intelligibility: [Metric] =
    ofPairs(
      [PairMetric.stoi, PairMetric.covariance], against: .oracle,
      versions: ["intelligibility.stoi": 2, "intelligibility.estoi": 2])
    + ofPairs([PairMetric.vocodedStoi, PairMetric.modulation], against: .oracleOrLead)
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
          ofVoices(observation) { voice, index in
            var found = findings(pair, of: voice, index, observation, reference)[place]
            found.voice = index
            return found
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

extension Observation {
  /// Returns a voice with its reference, aligned by the delay of the whole output.
  package func pair(
    ofVoice voice: Int, against reference: Metric.Reference
  ) -> Result<SoundPair, Undefined> {
    let ideal = oracle.flatMap { voice < $0.sounds.count ? $0.sounds[voice] : nil }
    let other: AnalyzedSound
    switch (reference, ideal) {
    case (.oracle, nil):
      return .failure(Undefined(.noOracle, "only the synthetic singer has an oracle"))
    case (.lead, _), (.oracleOrLead, nil): other = leadSound
    case (.oracle, let ideal?), (.oracleOrLead, let ideal?): other = ideal
    }
    let sound = voices[voice].sound
    return voices[voice].analyses.pairs(ObjectIdentifier(other)) {
      Result { () throws(SoundPair.Failure) in
        try SoundPair(sound, against: other, delayMs: delay.seconds * 1000)
      }.mapError { Undefined($0) }
    }
  }
}
