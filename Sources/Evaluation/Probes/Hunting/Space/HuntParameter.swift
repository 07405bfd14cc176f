import Singer

/// A property of a hunted sound that can lie away from plain.
///
/// A plain sound is one vowel [a], sung by an alto on C4 for 0.8 s without vibrato, and the choir
/// is asked for a third above it. The raw value is the key in a recipe.
public enum HuntParameter: String, CaseIterable, Codable, Sendable {
  // The voice and its notes.
  case voice, note, seconds, notes, leap, glideMs, pauseMs
  // Phones.
  case vowel, before, after
  // Manner of singing.
  case onset, onsetMs, bend, vibratoCents, vibratoHz, swellDb
  // Phonation; plain is the voice's own.
  case jitterPercent, shimmerPercent, breathDb, pulseShape, seed
  // What the subject receives.
  case levelDb, noiseDb
  // What the choir is asked for.
  case interval, second, playing, perSecond

  /// The values that a parameter can have.
  public enum Domain: Sendable {
    /// Numbers in steps, so that a recipe's few digits hold them exactly.
    case number(ClosedRange<Double>, step: Double)
    /// Names; the value of a point is an index.
    case choice([String])
  }

  public var domain: Domain {
    switch self {
    case .voice: .choice(Voice.all.map(\.name))
    case .note: .number(36...84, step: 0.5)
    case .seconds: .number(0.1...1.5, step: 0.01)
    case .notes: .number(1...4, step: 1)
    case .leap: .number(-12...12, step: 1)
    case .glideMs: .number(0...400, step: 5)
    case .pauseMs: .number(0...400, step: 10)
    case .vowel: .choice(Self.vowels.map(\.rawValue))
    case .before, .after: .choice(Self.consonants.map(\.rawValue))
    case .onset: .choice(Onset.allCases.map(\.rawValue))
    case .onsetMs: .number(40...400, step: 5)
    case .bend: .number(-4...4, step: 0.25)
    case .vibratoCents: .number(0...150, step: 1)
    case .vibratoHz: .number(3...9, step: 0.1)
    case .swellDb: .number(0...24, step: 0.5)
    case .jitterPercent: .number(0...2, step: 0.05)
    case .shimmerPercent: .number(0...8, step: 0.1)
    case .breathDb: .number(-60 ... -8, step: 0.5)
    case .pulseShape: .number(0.3...2.7, step: 0.05)
    case .seed: .number(1...1000, step: 1)
    case .levelDb: .number(-40...12, step: 0.5)
    case .noiseDb: .number(10...60, step: 1)
    case .interval, .second: .number(-12...12, step: 1)
    case .playing: .choice(Playing.allCases.map(\.rawValue))
    case .perSecond: .number(2...12, step: 0.5)
    }
  }

  /// The plain value: a number, or the index of a choice; `nil` if a plain sound has nothing of the
  /// kind (no consonant, no noise, no second voice) or takes it from the voice.
  public var plain: Double? {
    switch self {
    case .voice: Double(Voice.all.firstIndex { $0.name == Voice.alto.name }!)
    case .note: 60
    case .seconds: 0.8
    case .notes, .seed: 1
    case .leap, .pauseMs, .bend, .vibratoCents, .swellDb, .levelDb: 0
    case .glideMs: 60
    case .vowel, .onset, .playing: 0
    case .onsetMs: 180
    case .vibratoHz: 5.5
    case .interval: 4
    case .perSecond: 5
    case .before, .after, .jitterPercent, .shimmerPercent, .breathDb, .pulseShape, .noiseDb,
      .second:
      nil
    }
  }

  /// The parameter without which this one means nothing; `nil` if it stands by itself.
  var needs: HuntParameter? {
    switch self {
    case .leap, .glideMs, .pauseMs: .notes
    case .onsetMs: .onset
    case .vibratoHz: .vibratoCents
    case .perSecond: .playing
    default: nil
    }
  }

  /// How a choir is asked to sing.
  public enum Playing: String, CaseIterable, Sendable {
    /// An interval that follows the lead.
    case interval
    /// Notes held from the beginning.
    case held
    /// Notes of a chord that enter one after the other.
    case strum
    /// One pad after the other, `perSecond` of them.
    case pads
  }

  static let vowels: [Phone] = [.a, .e, .i, .o, .u]
  static let consonants = Phone.allCases.filter {
    switch $0.manner {
    case .vowel, .breath, .silence: false
    case .nasal, .liquid, .voicedFricative, .fricative, .aspirate, .voicelessStop, .voicedStop: true
    }
  }

  /// Returns the value in its range, at its steps.
  func rounded(_ value: Double) -> Double {
    switch domain {
    case .choice(let names): return min(max(value.rounded(), 0), Double(names.count - 1))
    case .number(let range, let step):
      let steps = 1 / step
      // Whole steps divided, so that 0.35 is the same number as in a recipe.
      let even =
        steps == steps.rounded()
        ? (value * steps).rounded() / steps
        : (value / step).rounded() * step
      return min(max(even, range.lowerBound), range.upperBound)
    }
  }

  /// Returns the value at a place from 0 to 1 of the range.
  func value(at place: Double) -> Double {
    switch domain {
    case .choice(let names): rounded((place * Double(names.count)).rounded(.down))
    case .number(let range, _):
      rounded(range.lowerBound + place * (range.upperBound - range.lowerBound))
    }
  }

  /// Returns the place of a value in the range, from 0 to 1.
  func place(of value: Double) -> Double {
    switch domain {
    case .choice(let names): (value + 0.5) / Double(names.count)
    case .number(let range, _):
      (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
  }
}
