import Analyzer
import Corpus
import Statistics

extension Metric {
  /// Fates of consonants, overall and by class, and their level.
  static let consonants: [Metric] =
    ConsonantFate.Fate.allCases.flatMap { fate in
      ([nil] + ConsonantClass.allCases.map(Optional.some)).map { kind in
        ofConsonants(figure(fate, kind), of: kind) { $0.share(fate, of: $1) }
      }
    } + [
      ofConsonants(
        .init(
          "consonant.level", version: 3, unit: "dB", .target,
          "Level of consonants above 2 kHz, relative to all other sound, less that of the input; median; without "
            + "phones, of voiceless noise"
        ), of: nil, needsPhones: false
      ) { fates, _ in Statistics.median(fates.consonants.compactMap(\.levelChangeDb)) }
    ]

  private static func figure(_ fate: ConsonantFate.Fate, _ kind: ConsonantClass?) -> Figure {
    let text =
      switch fate {
      case .kept: "are kept"
      case .doubled: "are doubled"
      case .smeared: "are smeared in time"
      case .lost: "fall by more than 10 dB relative to the rest of the sound"
      }
    return .init(
      "consonant.\(fate)" + (kind.map { ".\($0)" } ?? ""), version: 4, unit: "share",
      fate == .kept ? .higher : .lower, "Share of \(kind?.plural ?? "consonants") that \(text)")
  }

  /// - Parameters:
  ///   - needsPhones: false if voiceless noise will do.
  ///   - value: of the consonants with some labels, or of all.
  private static func ofConsonants(
    _ figure: Figure, of kind: ConsonantClass?, needsPhones: Bool = true,
    _ value: @escaping @Sendable (ConsonantFate, Set<String>?) -> Double?
  ) -> Metric {
    Metric(
      figure,
      domain: (needsPhones ? "recordings with phones, by the synthetic singer or annotated; " : "")
        + "plosives, affricates and fricatives with noise above 2 kHz; against the subject's input"
    ) { observation in
      if observation.isProbe { throw Undefined.probe }
      let phones = observation.recording.phones
      if needsPhones, phones == nil {
        throw Undefined(.noPhones, "nobody wrote down the recording's phones")
      }
      let consonants =
        phones.map(ConsonantClass.consonants)
        ?? ConsonantFate.noises(in: observation.recording.signal)
      guard !consonants.isEmpty else {
        throw Undefined(.noObstruents, "the recording has no plosives, affricates or fricatives")
      }
      let labels = kind.map { kind in
        Set(consonants.map(\.label).filter { ConsonantClass(label: $0) == kind })
      }
      /// Returns the figure of a voice or of the mix.
      func measure(
        in sound: AnalyzedSound, _ once: Once<Result<ConsonantFate, any Error>>, delay: SoundDelay
      ) throws -> MetricResult {
        let fates = try once {
          Result {
            try ConsonantFate(
              of: consonants, in: sound.signal, from: observation.heard,
              delaySeconds: delay.seconds!)
          }
        }.get()
        let judged = fates.consonants.count {
          $0.fate != nil && labels?.contains($0.phone.label) ?? true
        }
        guard let value = value(fates, labels) else {
          throw Undefined(.noConsonantNoise, "no such consonant has noise to go by")
        }
        return .value(value, count: judged)
      }
      return try observation.byStem { mix in
        try measure(in: mix.sound, mix.consonants, delay: mix.delay)
      } _: { voice, sound, _ in
        try measure(in: sound, voice.analyses.consonants, delay: voice.delay)
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
