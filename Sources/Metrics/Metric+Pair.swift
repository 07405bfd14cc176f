extension Metric {
  /// What a voice is held against.
  package enum Reference: String {
    /// The same singer at the target pitch; there is none of a recording that was not synthesized.
    case oracle
    /// What the subject heard.
    case lead
    /// The oracle where there is one, else the lead.
    case oracleOrLead

    fileprivate var words: String {
      switch self {
      case .oracle: "synthetic recordings, against the oracle"
      case .lead: "against what the subject heard"
      case .oracleOrLead: "against the oracle where there is one, else what the subject heard"
      }
    }
  }

  /// The figures of a pair as metrics of each voice of a cell: what `compare` says of two files a run
  /// says under the same id, measured in the same way.
  ///
  /// - Parameter versions: of those whose version is not 1.
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

  /// All figures of a pair at once, for one analysis gives them.
  private static func findings(
    _ pair: PairMetric, of voice: VoiceObservation, _ index: Int, _ observation: Observation,
    _ reference: Reference
  ) -> [MetricResult] {
    voice.memo("\(pair.figures[0].id) against \(reference)") {
      switch observation.pair(ofVoice: index, against: reference) {
      case .success(let sounds): return pair.measure(sounds)
      case .failure(let failure):
        return pair.figures.map { _ in .undefined(failure.description) }
      }
    }
  }
}

extension Observation {
  /// Why a voice has nothing to be held against.
  package enum NoPair: Error, CustomStringConvertible {
    case noOracle
    case unequal(SoundPair.Failure)

    package var description: String {
      switch self {
      case .noOracle: "only the synthetic singer has an oracle"
      case .unequal(let failure): "\(failure)"
      }
    }
  }

  /// A voice beside its reference, brought together by the delay of the whole.
  package func pair(
    ofVoice voice: Int, against reference: Metric.Reference
  ) -> Result<SoundPair, NoPair> {
    let ideal = oracle.flatMap { voice < $0.sounds.count ? $0.sounds[voice] : nil }
    let other: AnalyzedSound
    switch (reference, ideal) {
    case (.oracle, nil): return .failure(.noOracle)
    case (.lead, _), (.oracleOrLead, nil): other = leadSound
    case (.oracle, let ideal?), (.oracleOrLead, let ideal?): other = ideal
    }
    let sound = voices[voice].sound
    return voices[voice].memo("pair \(other === leadSound)") {
      Result { () throws(SoundPair.Failure) in
        try SoundPair(sound, against: other, delayMs: delay.seconds * 1000)
      }.mapError(NoPair.unequal)
    }
  }
}
