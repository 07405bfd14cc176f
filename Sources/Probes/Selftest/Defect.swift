import Metrics

/// A thing that goes wrong in a subject, of a known size.
public struct Defect: Sendable {
  public enum Kind: Equatable, Sendable {
    /// One voice sings so much sharp.
    case detuned(cents: Double)
    /// One voice sings an octave too high for so much of its time, in bursts of 50 ms.
    case octaveErrors(share: Double)
    /// One voice is silent for so long, once.
    case dropped(ms: Double)
    /// Two voices sing each other's part.
    case swapped
    /// All that comes out is so much later, and nobody says so.
    case delayed(ms: Double)
    /// All that comes out is early and late by turns, with this standard deviation.
    case jittered(ms: Double)
    /// One voice's formants are so much higher.
    case formantsMoved(percent: Double)
    /// One voice falls by so much from 100 Hz to 5 kHz, straight on a logarithmic axis.
    case tilted(db: Double)
    /// One sample a second of one voice stands out, at any instant.
    case clicking(dbfs: Double)
    /// One voice's level swings six times a second, so much from crest to trough.
    case trembling(db: Double)
    /// What one voice has above 2 kHz is softer by so much wherever the lead has no pitch.
    case consonantsDulled(db: Double)
    /// What one voice has wherever the lead has no pitch comes a second time, so much later.
    case consonantsDoubled(ms: Double)
    /// Nothing that comes out is a number once nothing has come in for so long, until sound comes
    /// again.
    case notANumber(afterSilenceSeconds: Double)
    /// A reset leaves everything as it is.
    case stale
    /// The stated delay is so many samples too long.
    case misreported(samples: Int)
    /// Each block takes memory from the heap and gives it back.
    case allocating
  }

  /// Short, for `--only`: `detune-3`.
  public let id: String
  public let title: String
  public let kind: Kind
  /// Metrics of which one at least must say regression; named before anybody looked.
  public let expected: [String]
  /// What is measured to find it: families or metrics.
  let measured: MetricChoice
  /// Whether it must be found, by the project's own bar, and in which share of the trials.
  public let requiredPower: Double?
  /// Where it is known not to be found: why.
  public let reason: String?

  init(
    _ id: String, _ title: String, _ kind: Kind, seenBy expected: [String], measuring: [String],
    requiredPower: Double? = nil, reason: String? = nil
  ) {
    (self.id, self.title, self.kind, self.expected) = (id, title, kind, expected)
    measured = MetricChoice(measuring)
    (self.requiredPower, self.reason) = (requiredPower, reason)
  }

  /// Which of several voices a defect is in.
  public enum Place: Hashable, Sendable {
    case all
    case voice(Int)
    case voices(Int, Int)

    /// The voices whose sound is another; `nil` where each is.
    var voices: Set<Int>? {
      switch self {
      case .all: nil
      case .voice(let one): [one]
      case .voices(let one, let other): [one, other]
      }
    }
  }

  /// Every place in a choir where it can be.
  func places(voiceCount: Int) -> [Place] {
    switch kind {
    case .detuned, .octaveErrors, .dropped, .formantsMoved, .tilted, .clicking, .trembling,
      .consonantsDulled, .consonantsDoubled:
      (0..<voiceCount).map { .voice($0) }
    case .swapped:
      (0..<voiceCount).flatMap { one in
        (one + 1..<max(one + 1, voiceCount)).map { .voices(one, $0) }
      }
    case .delayed, .jittered, .notANumber, .stale, .misreported, .allocating: [.all]
    }
  }

  /// Whether instants are drawn, so that one sound of it is not like another.
  var isRandom: Bool {
    switch kind {
    case .octaveErrors, .dropped, .jittered, .clicking, .trembling: true
    default: false
    }
  }

  /// Whether only probes can show it.
  var isOfProbes: Bool {
    switch kind {
    case .notANumber, .stale, .misreported, .allocating: true
    default: false
    }
  }
}
