import DSP

/// Which engine transposes a choir, and how it is set.
///
/// Coded as one flat object: `{"engine": "delayline", "windowMs": 23.2, "crossfadeMs": 11.6}`.
public enum Engine: Equatable, Sendable {
  case delayLine(DelayLineShifter.Settings)
  case psola(PSOLA.Settings)
  case vocoder(Vocoder.Settings)

  /// Where none is chosen: low in delay, formants kept.
  public static let usual = Engine(.psola)

  /// Shifts that make musical sense, in semitones.
  /// How much longer than its stated latency any engine may hold sound back, whatever the voice.
  public static var swayMs: Double { 100 }

  public static var shiftRange: ClosedRange<Double> { -24.0...24.0 }

  /// How far the formants of one voice may be moved, all settings together, in semitones.
  public static var formantRange: ClosedRange<Double> { -12.0...12.0 }

  /// The nearest move within `formantRange`.
  @_noLocks static func cutFormants(_ semitones: Double) -> Double { min(max(semitones, -12), 12) }

  /// The nearest shift within `shiftRange`.
  @_noLocks static func cut(_ semitones: Double) -> Double { min(max(semitones, -24), 24) }

  /// What users call an engine.
  public enum Name: String, Codable, CaseIterable, Sendable { case delayline, psola, vocoder }

  public var name: Name {
    switch self {
    case .delayLine: .delayline
    case .psola: .psola
    case .vocoder: .vocoder
    }
  }

  /// Whether formants can be moved apart from the pitch.
  public var movesFormants: Bool {
    switch self {
    case .delayLine: false
    case .psola, .vocoder: true
    }
  }

  /// How far the formants of every voice are moved before a voice asks for anything of its own.
  public var formantShiftSemitones: Double {
    switch self {
    case .delayLine: 0
    case .psola(let settings): settings.formantShiftSemitones
    case .vocoder(let settings): settings.formantShiftSemitones
    }
  }

  /// As `name` is when nothing else is chosen.
  public init(_ name: Name) {
    switch name {
    case .delayline: self = .delayLine(.init())
    case .psola: self = .psola(.init())
    case .vocoder: self = .vocoder(.init())
    }
  }

  public func validate() throws(SettingsError) {
    switch self {
    case .delayLine(let settings): try settings.validate()
    case .psola(let settings): try settings.validate()
    case .vocoder(let settings): try settings.validate()
    }
  }
}

extension Engine: Codable {
  private enum Key: CodingKey { case engine }

  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Name.self, forKey: .engine) {
    case .delayline: self = .delayLine(try DelayLineShifter.Settings(from: decoder))
    case .psola: self = .psola(try PSOLA.Settings(from: decoder))
    case .vocoder: self = .vocoder(try Vocoder.Settings(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .delayLine(let settings): try settings.encode(to: encoder)
    case .psola(let settings): try settings.encode(to: encoder)
    case .vocoder(let settings): try settings.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .engine)
  }
}
