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

  /// Longest delay beyond the stated latency, for any voice.
  public var swayMs: Double {
    // The far end of a sweep, from its mean.
    if case .delayLine(let settings) = self {
      max(100, (settings.windowMs + settings.crossfadeMs) / 2)
    } else {
      100
    }
  }

  /// Sample rates at which engines run.
  public static var ratesHz: ClosedRange<Double> { 8_000...192_000 }

  public static var shiftRange: ClosedRange<Double> { -24.0...24.0 }

  /// Range of the formant shift of one voice, all settings together, in semitones.
  public static var formantRange: ClosedRange<Double> { -12.0...12.0 }

  /// The nearest move within `formantRange`.
  @_noLocks static func cutFormants(_ semitones: Double) -> Double { min(max(semitones, -12), 12) }

  /// The nearest shift within `shiftRange`.
  @_noLocks static func cut(_ semitones: Double) -> Double { min(max(semitones, -24), 24) }

  /// Returns the octaves that bring a note within reach of a lead `distance` semitones below it. Those of before
  /// stay while they do: within a semitone of the limit, a vibrato must not leap.
  @_noLocks static func octaves(toReach distance: Double, now: Double) -> Double {
    let (far, way) = (abs(distance), distance > 0 ? -1.0 : 1)
    let needed = octavesBeyondReach(far)
    return now * way >= needed && now * way <= octavesBeyondReach(far + 1) ? now : way * needed
  }

  /// Octaves by which a distance is out of reach.
  @_noLocks private static func octavesBeyondReach(_ semitones: Double) -> Double {
    // More is no pitch, and no whole number either.
    let beyond = min(semitones, 240) - reachSemitones
    return beyond > 0 ? Double(Int(beyond / 12) + 1) : 0
  }

  /// Largest distance that is not changed: two octaves and what a vibrato of half a semitone adds, with a tenth to
  /// spare. Up to there a note is as flat as it is beyond two octaves.
  private static var reachSemitones: Double { @_noLocks get { 24.6 } }

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

  private var settings: any ParameterizedSettings {
    switch self {
    case .delayLine(let settings): settings
    case .psola(let settings): settings
    case .vocoder(let settings): settings
    }
  }

  public func validate() throws(SettingsError) { try settings.validate() }

  /// The engine's settings, with the default values of this engine.
  public var infos: [ParameterInfo] { type(of: settings).infos }

  /// Sets one of the engine's settings.
  ///
  /// - Returns: false if there is none of that name and type; nothing has changed.
  public mutating func set(_ name: String, to value: ParameterValue) -> Bool {
    func changed<Settings: ParameterizedSettings>(_ settings: Settings) -> Settings? {
      var settings = settings
      return settings.set(name, to: value) ? settings : nil
    }
    let changed: Engine? =
      switch self {
      case .delayLine(let settings): changed(settings).map(Engine.delayLine)
      case .psola(let settings): changed(settings).map(Engine.psola)
      case .vocoder(let settings): changed(settings).map(Engine.vocoder)
      }
    guard let changed else { return false }
    self = changed
    return true
  }
}

extension Engine: Codable {
  private enum Key: CodingKey { case engine }

  public init(from decoder: any Decoder) throws {
    switch try decoder.container(keyedBy: Key.self).decode(Name.self, forKey: .engine) {
    case .delayline: self = .delayLine(try .init(parametersFrom: decoder, besides: ["engine"]))
    case .psola: self = .psola(try .init(parametersFrom: decoder, besides: ["engine"]))
    case .vocoder: self = .vocoder(try .init(parametersFrom: decoder, besides: ["engine"]))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try settings.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .engine)
  }
}

extension Engine {
  /// Returns the ratio of the formants under a shift: 1 keeps them, the pitch's own ratio moves
  /// them along.
  ///
  /// - Parameter formantShiftSemitones: of the voice, the engine's own included.
  public func formantRatio(shiftSemitones: Double, formantShiftSemitones: Double) -> Double {
    frequencyRatio(ofSemitones: (movesFormantsAlong ? shiftSemitones : 0) + formantShiftSemitones)
  }

  /// True if formants go with the pitch unless they are held.
  private var movesFormantsAlong: Bool {
    switch self {
    case .delayLine: true
    case .psola: false
    case .vocoder(let settings): !settings.formantsKept
    }
  }

  /// Throws where a voice asks for what this engine cannot do with formants.
  func validate(_ voice: Harmonizer.Voice, index: Int) throws(SettingsError) {
    let wanted = voice.formantShiftSemitones
    guard wanted != 0 else { return }
    let setting = "formantShiftSemitones of voice \(index + 1)"
    guard movesFormants else {
      throw .ruledOut(
        setting: setting, value: wanted, by: "the engine \(name.rawValue)",
        instead: "choose 0, or the engine psola or vocoder")
    }
    try require(
      "\(setting) and of the engine, together", formantShiftSemitones + wanted,
      in: Self.formantRange)
  }
}
