import Metrics

/// A fault of a known size in a subject.
public struct Defect: Sendable {
  public enum Kind: Equatable, Sendable {
    /// One voice is sharp by this many cents.
    case detuned(cents: Double)
    /// One voice is an octave too high for this share of its time, in bursts of this length.
    case octaveErrors(share: Double, burstMs: Double)
    /// One voice is silent once for this long.
    case dropped(ms: Double)
    /// One voice is silent throughout.
    case missing
    /// Two voices sing each other's parts.
    case swapped
    /// The whole output is delayed by this much, and the stated latency does not include it.
    case delayed(ms: Double)
    /// The delay of the whole output varies, with this standard deviation.
    case jittered(ms: Double)
    /// One voice's formants are higher by this much.
    case formantsMoved(percent: Double)
    /// One voice is tilted by this much from 100 Hz to 5 kHz, linear on a logarithmic axis.
    case tilted(db: Double)
    /// One voice has one click a second, at a random instant.
    case clicking(dbfs: Double)
    /// One voice's level swings six times a second, by this much from trough to crest.
    case trembling(db: Double)
    /// One voice changes by this much above 2 kHz wherever the lead is unvoiced.
    case consonantsDulled(db: Double)
    /// One voice repeats its unvoiced sound this much later.
    case consonantsDoubled(ms: Double)
    /// The output is NaN after this much silent input, until sound comes in again.
    case notANumber(afterSilenceSeconds: Double)
    /// A reset does nothing.
    case stale
    /// The stated latency is too long by this many samples.
    case misreported(samples: Int)
    /// Each block allocates and frees heap memory.
    case allocating
  }

  /// Short name for `--only`, such as `detune-3`.
  public let id: String
  public let title: String
  public let kind: Kind
  /// Metrics of which at least one must report a regression; fixed before any measurement.
  public let expected: [String]
  /// Metrics or families that are measured to detect it.
  let measured: MetricChoice
  /// Required share of trials that detect it; `nil` if the project requires none.
  public let requiredPower: Double?
  init(
    _ id: String, _ title: String, _ kind: Kind, seenBy expected: [String], measuring: [String],
    requiredPower: Double? = nil
  ) {
    (self.id, self.title, self.kind, self.expected) = (id, title, kind, expected)
    measured = MetricChoice(measuring)
    self.requiredPower = requiredPower
  }

  /// The voices that have the defect.
  public enum Place: Hashable, Sendable {
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
    case .detuned, .octaveErrors, .dropped, .missing, .formantsMoved, .tilted, .clicking,
      .trembling,
      .consonantsDulled, .consonantsDoubled:
      (0..<voiceCount).map { .voice($0) }
    case .swapped:
      (0..<voiceCount).flatMap { one in
        (one + 1..<max(one + 1, voiceCount)).map { .voices(one, $0) }
      }
    case .delayed, .jittered, .notANumber, .stale, .misreported, .allocating: [.all]
    }
  }

  /// True if instants are drawn at random, so that renderings differ.
  var isRandom: Bool {
    switch kind {
    case .octaveErrors, .dropped, .jittered, .clicking, .trembling: true
    default: false
    }
  }

  /// True if a cell that can't be measured is what the defect does: its samples are no numbers. Any
  /// other failed cell says nothing about the gate.
  var failsCells: Bool {
    if case .notANumber = kind { true } else { false }
  }

  /// True if only probe recordings can show it.
  var isOfProbes: Bool {
    switch kind {
    case .notANumber, .stale, .misreported, .allocating: true
    default: false
    }
  }
}
