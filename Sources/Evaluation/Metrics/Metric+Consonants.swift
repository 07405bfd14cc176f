import Analyzer
import Corpus

extension Metric {
  /// Fates of consonants, overall and by class.
  static let consonants: [Metric] = ConsonantFate.Fate.allCases.flatMap { fate in
    ([nil] + ConsonantClass.allCases.map(Optional.some)).map { ofConsonants(fate, $0) }
  }

  private static func ofConsonants(_ fate: ConsonantFate.Fate, _ kind: ConsonantClass?) -> Metric {
    let words =
      switch fate {
      case .kept: "are kept"
      case .doubled: "are doubled"
      case .smeared: "are smeared in time"
      case .lost: "fall by more than 10 dB relative to the rest of the sound"
      }
    return Metric(
      "consonant.\(fate)" + (kind.map { ".\($0)" } ?? ""), version: 3, unit: "share",
      fate == .kept ? .higher : .lower, "Share of \(kind?.plural ?? "consonants") that \(words)",
      domain: "recordings with phones, by the synthetic singer or annotated; plosives, affricates "
        + "and fricatives with noise above 2 kHz; against the subject's input"
    ) { observation in
      if observation.isProbe { return [.undefined(.probe)] }
      guard let phones = observation.recording.phones else {
        return [.undefined(.noPhones, "nobody wrote down the recording's phones")]
      }
      let consonants = ConsonantClass.consonants(in: phones)
      guard !consonants.isEmpty else {
        return [
          .undefined(.noObstruents, "the recording has no plosives, affricates or fricatives")
        ]
      }
      /// Returns the share in a voice or, without an index, in the mix.
      func share(
        in sound: AnalyzedSound, _ once: Once<Result<ConsonantFate, any Error>>, _ index: Int?,
        delay: SoundDelay
      ) -> MetricResult {
        let result = once {
          Result {
            try ConsonantFate(
              of: consonants, in: sound.signal, from: observation.heard,
              delaySeconds: delay.seconds!)
          }
        }
        switch result {
        case .failure(let error): return .undefined(Undefined(error), voice: index)
        case .success(let fates):
          let labels = kind.map { kind in
            Set(consonants.map(\.label).filter { ConsonantClass(label: $0) == kind })
          }
          let judged = fates.consonants.count {
            $0.fate != nil && labels?.contains($0.phone.label) ?? true
          }
          return fates.share(fate, of: labels).map { .value($0, voice: index, count: judged) }
            ?? .undefined(.noConsonantNoise, "no such consonant has noise to go by", voice: index)
        }
      }
      return ofStems(observation) { mix in
        share(in: mix.sound, mix.consonants, nil, delay: mix.delay)
      } _: { voice, sound, index in
        share(in: sound, voice.analyses.consonants, index, delay: voice.delay)
      }
    }
  }
}

/// Classes of consonants that consist of noise.
enum ConsonantClass: String, CaseIterable {
  case plosive, affricate, fricative

  var plural: String { rawValue + "s" }

  /// - Parameter label: label of the phonetic alphabet, or of ARPAbet with or without a stress.
  init?(label: String) {
    let bare = label.lowercased().filter { !$0.isNumber && !"ːˑʰʲʷ".contains($0) }
    guard let known = Self.allCases.first(where: { $0.labels.contains(bare) }) else { return nil }
    self = known
  }

  private var labels: Set<String> {
    switch self {
    case .plosive: ["p", "t", "k", "b", "d", "g", "ɡ", "q", "c", "ɟ", "ʈ", "ɖ"]
    case .affricate: ["ch", "jh", "ts", "dz", "tʃ", "dʒ", "tɕ", "dʑ", "tʂ", "dʐ", "pf"]
    case .fricative:
      [
        "f", "v", "s", "z", "sh", "zh", "ʃ", "ʒ", "ɕ", "ʑ", "ʂ", "ʐ", "th", "dh", "θ", "ð", "x",
        "χ", "ç", "h", "hh", "ɦ",
      ]
    }
  }

  static func consonants(in phones: [LabelledSpan]) -> [ConsonantFate.Phone] {
    phones.filter { ConsonantClass(label: $0.label) != nil }.map {
      .init(onsetSeconds: $0.onsetSeconds, offsetSeconds: $0.offsetSeconds, label: $0.label)
    }
  }
}
