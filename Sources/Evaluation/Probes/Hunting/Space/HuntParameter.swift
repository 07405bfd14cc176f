import Corpus
import Music
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

  /// Everything that tells parameters apart.
  private struct Row {
    var domain: Domain
    /// The value of a plain sound; `nil` if it has nothing of the kind (no consonant, no noise, no
    /// second voice) or takes it from the voice.
    var plain: Double?
    /// A value in words, with `#` for it and `±#` for one with its sign.
    var words: String

    init(_ domain: Domain, plain: Double? = nil, _ words: String) {
      (self.domain, self.plain, self.words) = (domain, plain, words)
    }
  }

  private static let rows: [HuntParameter: Row] = [
    .voice: Row(
      .choice(Voice.all.map(\.name)),
      plain: Double(Voice.all.firstIndex { $0.name == Voice.alto.name }!), "#"),
    .note: Row(.number(36...84, step: 0.5), plain: 60, "#"),
    .seconds: Row(.number(0.1...1.5, step: 0.01), plain: 0.8, "notes of # s"),
    .notes: Row(.number(1...4, step: 1), plain: 1, "# notes"),
    .leap: Row(.number(-12...12, step: 1), plain: 0, "±# semitones apart"),
    .glideMs: Row(.number(0...400, step: 5), plain: 60, "glides of # ms"),
    .pauseMs: Row(.number(0...400, step: 10), plain: 0, "pauses of # ms"),
    .vowel: Row(.choice(vowels.map(\.rawValue)), plain: 0, "[#]"),
    .before: Row(.choice(consonants.map(\.rawValue)), "[#] before it"),
    .after: Row(.choice(consonants.map(\.rawValue)), "[#] after it"),
    .onset: Row(.choice(Onset.allCases.map(\.rawValue)), plain: 0, "# onset"),
    .onsetMs: Row(.number(40...400, step: 5), plain: 180, "onset of # ms"),
    .bend: Row(.number(-4...4, step: 0.25), plain: 0, "bent by ±# semitones"),
    .vibratoCents: Row(.number(0...150, step: 1), plain: 0, "vibrato of # cents"),
    .vibratoHz: Row(.number(3...9, step: 0.1), plain: 5.5, "vibrato at # Hz"),
    .swellDb: Row(.number(0...24, step: 0.5), plain: 0, "swelling by # dB"),
    .jitterPercent: Row(.number(0...2, step: 0.05), "jitter # %"),
    .shimmerPercent: Row(.number(0...8, step: 0.1), "shimmer # %"),
    .breathDb: Row(.number(-60 ... -8, step: 0.5), "breath at # dB"),
    .pulseShape: Row(.number(0.3...2.7, step: 0.05), "pulse shape #"),
    .seed: Row(.number(1...1000, step: 1), plain: 1, "chance #"),
    .levelDb: Row(.number(-40...12, step: 0.5), plain: 0, "level ±# dB"),
    .noiseDb: Row(.number(10...60, step: 1), "noise # dB below the voice"),
    .interval: Row(.number(-12...12, step: 1), plain: 4, "choir at ±# semitones"),
    .second: Row(.number(-12...12, step: 1), "second voice at ±#"),
    .playing: Row(.choice(Playing.allCases.map(\.rawValue)), plain: 0, "choir #"),
    .perSecond: Row(.number(2...12, step: 0.5), plain: 5, "# pads per second"),
  ]

  public var domain: Domain { Self.rows[self]!.domain }

  /// The plain value: a number, or the index of a choice; `nil` if a plain sound has nothing of the
  /// kind or takes it from the voice.
  public var plain: Double? { Self.rows[self]!.plain }

  /// The name of a choice, or the number as a recipe has it.
  func setting(_ value: Double) -> SettingValue {
    switch domain {
    case .choice(let names): .text(names[Int(value)])
    case .number: .number(value)
    }
  }

  /// A value in words.
  func words(_ value: Double) -> String {
    let setting = "\(setting(value))"
    let text =
      switch self {
      case .note: NoteNumber(value).name()
      case .playing: Playing(rawValue: setting)!.words
      default: setting
      }
    return Self.rows[self]!.words.replacing("±#", with: value > 0 ? "+\(text)" : text)
      .replacing("#", with: text)
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

    var words: String {
      switch self {
      case .interval: "following the lead"
      case .held: "on held notes"
      case .strum: "strummed"
      case .pads: "on pads"
      }
    }
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

  struct OutOfRange: Error { let problem: String }

  /// Reads a value as a recipe has it.
  func number(_ value: SettingValue) throws(OutOfRange) -> Double {
    switch domain {
    case .choice(let names):
      guard let index = names.firstIndex(of: "\(value)") else {
        throw OutOfRange(problem: "'\(value)' is unknown; choose \(names.joined(separator: ", "))")
      }
      return Double(index)
    case .number(let range, let step):
      guard let number = value.number, range.contains(number) else {
        throw OutOfRange(
          problem: "'\(value)' is out of range; write a number from "
            + "\(SettingValue.number(range.lowerBound)) to \(SettingValue.number(range.upperBound))"
        )
      }
      guard rounded(number) == number else {
        throw OutOfRange(
          problem: "'\(value)' is not a whole number of steps of \(SettingValue.number(step)); "
            + "write \(SettingValue.number(rounded(number)))")
      }
      return number
    }
  }
}
