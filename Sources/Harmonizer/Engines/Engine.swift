import DSP

/// The engine that transposes a choir, with its settings.
///
/// Coded as one flat object: `{"engine": "delayline", "windowMs": 23.2, "crossfadeMs": 11.6}`.
public enum Engine: Equatable, Sendable {
  case delayLine(DelayLineShifter.Settings)
  case psola(PSOLA.Settings)
  case vocoder(Vocoder.Settings)

  /// The default engine: low in delay, formants kept.
  public static let `default` = Engine(.psola)

  /// Longest delay of any engine beyond its stated latency, for any voice.
  public static var swayMs: Double { 100 }

  /// Sample rates at which engines run.
  public static var ratesHz: ClosedRange<Double> { 8_000...192_000 }

  public static var shiftRange: ClosedRange<Double> { -24.0...24.0 }

  /// Range of the formant shift of one voice, all settings together, in semitones.
  public static var formantRange: ClosedRange<Double> { -12.0...12.0 }

  /// The nearest move within `formantRange`.
  @_noLocks static func cutFormants(_ semitones: Double) -> Double { min(max(semitones, -12), 12) }

  /// The nearest shift within `shiftRange`.
  @_noLocks static func cut(_ semitones: Double) -> Double { min(max(semitones, -24), 24) }

  /// Name of an engine.
  public enum Name: String, Codable, CaseIterable, Sendable { case delayline, psola, vocoder }

  public var name: Name {
    switch self {
    case .delayLine: .delayline
    case .psola: .psola
    case .vocoder: .vocoder
    }
  }

  /// True if formants can be moved apart from the pitch.
  public var movesFormants: Bool {
    switch self {
    case .delayLine: false
    case .psola, .vocoder: true
    }
  }

  /// Formant shift of every voice, beside the shift of its own.
  public var formantShiftSemitones: Double {
    switch self {
    case .delayLine: 0
    case .psola(let settings): settings.formantShiftSemitones
    case .vocoder(let settings): settings.formantShiftSemitones
    }
  }

  /// Makes the default engine with this name.
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
