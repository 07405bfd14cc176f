/// A fault of a known kind and size, planted where nothing else is wrong.
///
/// The selftest plants it in a subject (`DamagedSubject`); the trials of metrics plant it in the
/// synthetic singer's ideal voice (`SungBench`, `DoseBench`). `PlantedFault.all` lists what each of
/// them plants.
struct Damage: Equatable, Sendable {
  /// Kind of fault; each case names the unit of its dose.
  enum Kind: Equatable, Sendable {
    // Pitch.
    /// Cents that a voice is sharp.
    case detuned
    /// Share of the time that a voice is off by some semitones, in bursts of one length.
    case bursts(semitones: Double, ms: Double)
    /// Milliseconds that a voice's pitch contour is late, and nothing else.
    case lagging
    // Voices.
    /// A voice is silent throughout.
    case missing
    /// Milliseconds that a voice is silent once.
    case dropped
    /// Two voices sing each other's parts.
    case swapped
    // Time.
    /// Milliseconds that the whole output is late, which the stated latency does not include.
    case late
    /// Milliseconds of the standard deviation with which the delay of the whole output varies.
    case jittered
    /// Samples that the stated latency is too long.
    case misreported
    // Sound of a voice.
    /// Percent that formants are higher.
    case formants
    /// Decibels lost from 100 Hz to 5 kHz, linear on a logarithmic axis.
    case tilted
    /// Level in dBFS of one click a second, at a random instant of that second.
    case clickEachSecond
    /// Number of clicks at -20 dBFS: at even distances, or at a random instant of each equal part.
    case clicks(areEven: Bool)
    /// Decibels from trough to crest of a level that swings six times a second.
    case trembling
    /// Ratio of the voice to white noise in decibels.
    case noisy
    /// Decibels lost above 2 kHz wherever the lead is unvoiced.
    case consonantsDulled
    /// Milliseconds after which unvoiced sound comes again.
    case consonantsDoubled
    /// Milliseconds over which a tail of noise decays by 60 dB.
    case smeared
    /// Level in decibels of a copy 30 ms later.
    case doubled
    /// Decibels softer.
    case softer
    // The contract of a live processor.
    /// Seconds of silent input after which the output is NaN, until sound comes in again.
    case notANumber
    /// A reset does nothing.
    case stale
    /// Each block allocates and frees heap memory.
    case allocating
    /// Percent of additional processor time. No sound shows it.
    case slower
  }

  var kind: Kind
  /// Size in the unit of the kind; 0 where a kind has one size only.
  var dose = 0.0

  /// The voices that have the fault.
  enum Place: Hashable, Sendable {
    case all
    case voice(Int)
    case voices(Int, Int)

    /// Indices of the changed voices; `nil` means all.
    var voices: Set<Int>? {
      switch self {
      case .all: nil
      case .voice(let one): [one]
      case .voices(let one, let other): [one, other]
      }
    }
  }

  /// Returns every possible place in a choir with this number of voices.
  func places(voiceCount: Int) -> [Place] {
    switch kind {
    case .late, .jittered, .misreported, .notANumber, .stale, .allocating, .slower: [.all]
    case .swapped:
      (0..<voiceCount).flatMap { one in
        (one + 1..<max(one + 1, voiceCount)).map { .voices(one, $0) }
      }
    default: (0..<voiceCount).map { .voice($0) }
    }
  }

  /// True if instants are drawn at random, so that renderings differ.
  var isRandom: Bool {
    switch kind {
    case .bursts, .dropped, .jittered, .clickEachSecond, .clicks(areEven: false), .trembling,
      .noisy, .smeared:
      true
    default: false
    }
  }

  /// True if a cell that can't be measured is what the fault does: its samples are no numbers. Any
  /// other failed cell says nothing about the gate.
  var failsCells: Bool { kind == .notANumber }

  /// True if only probe recordings can show it.
  var isOfProbes: Bool { [.notANumber, .stale, .misreported, .allocating].contains(kind) }
}
