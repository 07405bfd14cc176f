import Analyzer
import DSP
import Music

extension Harmonizer {
  /// One member of the choir.
  public struct Voice: ParameterizedSettings {
    public var part = VoicePart()
    public var gain = 1.0
    public var pan = 0.0
    public var detuneCents = 0.0
    public var formantShiftSemitones = 0.0
    public var delayMs = 0.0
    public var consonants = ConsonantPolicy.kept
    /// The level of a note from its press to its end; without one it comes and goes within 5 ms.
    public var envelope: Envelope.Settings?
    public var expression = VoiceExpression.Settings()

    public static let parameters: [Parameter<Voice>] = [
      .init(
        "intervalSemitones", optional: \.plainInterval, in: Engine.shiftRange,
        "fixed distance from the lead; negative is below"),
      .init("part", optionalPart: \.codedPart),
      .init("gain", \.gain, in: 0...4, "level of the voice"),
      .init("pan", \.pan, in: -1...1, "panning, -1 left to 1 right; in stereo only"),
      .init("detuneCents", \.detuneCents, in: -100...100, "detuning"),
      .init(
        "formantShiftSemitones", \.formantShiftSemitones, in: -24...24,
        "formant shift, added to the engine's own; positive is a smaller vocal tract"),
      .init("delayMs", \.delayMs, in: 0...500, "delay, added to the engine's latency"),
      .init("consonants", \.consonants, "behaviour during consonants"),
      .init("envelope", optionalPart: \.envelope),
      .init("expression", part: \.expression),
    ]

    /// The settings of voices that flags and plans set for all voices at once, by names of their own.
    public static let common: [Parameter<Voice>] = [
      parameter("detuneCents")!, parameter("consonants")!,
      .init(
        "leadShare", optional: \.part.leadShare, in: 0...1,
        "share of the lead's deviation from its note, such as vibrato, that voices copy"),
      Glide.Settings.parameter("glideMs")!.lifted(by: \.expression.glide, as: "glideMs"),
      OnsetScoop.Settings.parameter("depthCents")!.lifted(by: \.expression.scoop, as: "scoopCents"),
      Vibrato.Settings.parameter("extentCents")!
        .lifted(by: \.expression.vibrato, as: "vibratoCents"),
      Vibrato.Settings.parameter("rateHz")!.lifted(by: \.expression.vibrato, as: "vibratoHz"),
      Vibrato.Settings.parameter("onsetDelayMs")!
        .lifted(by: \.expression.vibrato, as: "vibratoDelayMs"),
      PitchDrift.Settings.parameter("driftCents")!
        .lifted(by: \.expression.drift, as: "humanizeCents"),
      OnsetJitter.Settings.parameter("jitterMs")!.lifted(by: \.expression.jitter, as: "humanizeMs"),
      Envelope.Settings.parameter("attackMs")!.lifted(by: \.ownEnvelope, as: "attackMs"),
      Envelope.Settings.parameter("decayMs")!.lifted(by: \.ownEnvelope, as: "decayMs"),
      Envelope.Settings.parameter("sustainGain")!.lifted(by: \.ownEnvelope, as: "sustainGain"),
      Envelope.Settings.parameter("releaseMs")!.lifted(by: \.ownEnvelope, as: "releaseMs"),
    ]

    public init() {}

    public init(_ role: VoicePart.Role, leadShare: Double? = nil, gain: Double = 1) {
      part = VoicePart(role, leadShare: leadShare)
      self.gain = gain
    }

    /// A fixed distance from the lead; negative is below.
    public init(intervalSemitones: Double, gain: Double = 1) {
      self.init(.interval(semitones: intervalSemitones), gain: gain)
    }

    public init(from decoder: any Decoder) throws {
      try self.init(parametersFrom: decoder)
      let container = try decoder.container(keyedBy: NameKey.self)
      let names = ["intervalSemitones", "part"].map(NameKey.init(stringValue:))
      guard names.contains(where: container.contains) else {
        throw DecodingError.keyNotFound(
          names[1],
          .init(
            codingPath: decoder.codingPath,
            debugDescription: "a voice needs intervalSemitones or a part"))
      }
    }

    /// The interval of a voice that keeps it and follows the lead wholly; coded instead of its part.
    private var plainInterval: Double? {
      get {
        guard case .interval(let semitones) = part.role, part.leadShare == nil else { return nil }
        return semitones
      }
      set { if let newValue { part = VoicePart(.interval(semitones: newValue)) } }
    }

    private var codedPart: VoicePart? {
      get { plainInterval == nil ? part : nil }
      set { if let newValue { part = newValue } }
    }

    /// The envelope; the default one before any is set.
    private var ownEnvelope: Envelope.Settings {
      get { envelope ?? Envelope.Settings() }
      set { envelope = newValue }
    }

    public func validate() throws(SettingsError) {
      if case .interval(let semitones) = part.role {
        try require("intervalSemitones", semitones, in: Engine.shiftRange)
      }
      try part.validate()
      try validateParameters()
    }

    /// Shift that the engine starts with.
    var firstShiftSemitones: Double {
      if case .interval(let semitones) = part.role { return semitones + detuneCents / 100 }
      return detuneCents / 100
    }

    /// True if it keeps one interval, whatever the lead sings: then it costs no more than its engine.
    func isFixed(in tuning: Tuning) -> Bool {
      guard case .interval = part.role, part.leadShare ?? 1 == 1 else { return false }
      return tuning.temperament == .equal && consonants == .kept && envelope == nil
        && expression == VoiceExpression.Settings()
    }
  }

  /// Settings; every report has a copy.
  public struct Settings: ParameterizedSettings {
    public var voices: [Voice] = []
    public var dryGain = 0.0
    public var dryDelayed = true
    public var dryPan = 0.0
    public var spread = 0.0
    public var engine = Engine.default
    /// Key, chords, tuning and how voices are led and given notes.
    public var music = Conductor.Settings()
    /// Tracking of the lead's pitch, where any voice needs it.
    public var tracking = Settings.promptTracking
    public var gateMs = 7.0
    public var velocityShare = 0.0
    /// Seed for all random variation.
    public var seed: UInt64 = 1

    public static let parameters: [Parameter<Settings>] = [
      .init("voices", required: \.voices),
      .init("dryGain", \.dryGain, in: 0...4, "level of the dry lead in the mix"),
      .init(
        "dryDelayed", \.dryDelayed,
        "the dry lead is as late as the voices, so that consonants come once"),
      .init("dryPan", \.dryPan, in: -1...1, "panning of the dry lead, -1 left to 1 right"),
      .init(
        "spread", \.spread, in: 0...1,
        "stereo width of the choir, added to the voices' panning; above 0 the output is stereo"),
      .init("engine", part: \.engine),
      .init("music", part: \.music),
      .init("tracking", part: \.tracking),
      .init("gateMs", \.gateMs, in: 1...50, "fade of gated voices"),
      .init(
        "velocityShare", \.velocityShare, in: 0...1,
        "influence of a key's velocity on the level; at 1 half the velocity is half the amplitude"),
      .init("seed", seed: \.seed, "seed for all random variation"),
    ]

    /// The choir's own settings that flags and plans set by name, beside those of its voices.
    public static let common: [Parameter<Settings>] =
      ["dryGain", "dryDelayed", "spread", "gateMs", "velocityShare", "seed"].map { parameter($0)! }
      + [
        .init(
          "lookAheadMs", \.tracking.lookAheadMs, in: 0...60,
          "look-ahead of the lead's pitch tracker")
      ]

    public init() {}

    public init(voices: [Voice], dryGain: Double = 0, engine: Engine = .default) {
      self.voices = voices
      self.dryGain = dryGain
      self.engine = engine
    }

    /// Tracking with a look-ahead of 10 ms: nearly as right as with twice that
    /// (docs/reference/analyzer.md), and most engines are later.
    public static var promptTracking: StreamingPitchTracker.Settings {
      var tracking = StreamingPitchTracker.Settings()
      tracking.lookAheadMs = 10
      return tracking
    }

    public func validate() throws(SettingsError) {
      try require("the number of voices", Double(voices.count), in: 1...16)
      for voice in voices { try voice.validate() }
      try validateParameters()
      try engine.validate()
      for (index, voice) in voices.enumerated() { try engine.validate(voice, index: index) }
      try music.validate(for: voices.map(\.part))
      try tracking.validate()
    }

    /// Returns the same notes in the sound of another choir: its engine, levels, tuning and seed, and the
    /// expression of its voices. Voices beyond those of the other sound as its last one.
    public func sounding(like other: Settings) -> Settings {
      guard !other.voices.isEmpty else { return self }
      var choir = other
      choir.music = music
      choir.music.tuning = other.music.tuning
      choir.velocityShare = velocityShare
      choir.voices = voices.enumerated().map { index, voice in
        var sound = other.voices[min(index, other.voices.count - 1)]
        sound.part.role = voice.part.role
        sound.part.leadShare = voice.part.leadShare ?? sound.part.leadShare
        return sound
      }
      return choir
    }

    /// Sets one of the `common` settings, of the choir or of all its voices.
    ///
    /// - Returns: false if there is none of that name and type; nothing has changed.
    public mutating func setCommon(_ name: String, to value: ParameterValue) -> Bool {
      if let own = Self.common.first(where: { $0.name == name }) {
        return own.set(value, in: &self)
      }
      guard let shared = Voice.common.first(where: { $0.name == name }) else { return false }
      return voices.indices.allSatisfy { shared.set(value, in: &voices[$0]) }
    }

    /// The `common` settings of the choir and of its voices.
    public static let commonInfos: [ParameterInfo] =
      common.compactMap { ParameterInfo($0, defaults: Settings()) }
      + Voice.common.compactMap { ParameterInfo($0, defaults: Voice()) }

    /// The gain of a note by the velocity of its press, 1 to 127: in a straight line from `1 - share` to
    /// 1, so that with a share of 1 half the velocity is half the amplitude.
    @_noLocks public static func level(ofVelocity velocity: Int, share: Double) -> Float {
      Float(1 - share * (1 - Double(velocity) / 127))
    }

    /// Time that the choir may sound after its input has ended, beside its latency: notes that end
    /// with the lead, the latest voice's delay, and what an engine still holds, whose delay may
    /// sway.
    public var tailMs: Double {
      let delay = voices.map(\.delayMs).max() ?? 0
      let release = voices.compactMap(\.envelope?.releaseMs).max() ?? 0
      return delay + release + engine.swayMs
    }

    /// True if voices stand apart, so that stereo says more than mono.
    public var isStereo: Bool {
      spread > 0 || dryPan != 0 || voices.contains { $0.pan != 0 }
    }

    /// Returns the place of a voice: its own pan and the spread together.
    func pan(ofVoice index: Int) -> Double {
      guard voices.count > 1 else { return voices[index].pan }
      let place = 2 * Double(index) / Double(voices.count - 1) - 1
      return min(max(voices[index].pan + spread * place, -1), 1)
    }
  }
}

/// Behaviour of a voice while the lead has no pitch: in consonants, breaths and silence.
///
/// Transposed copies of one `s` by several voices, each late by its own delay, are heard as a spray
/// of them; a choir director has one singer pronounce it.
public enum ConsonantPolicy: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
  /// The voice goes on at its last shift, consonants and all.
  case kept
  /// The voice is silent until the lead has a pitch again.
  case gated
  /// The voice is gated, but the first voice of this policy passes the lead's own sound instead, at
  /// its level, as late as the engine is, and not transposed. A delayed dry lead has the sound too; only
  /// the rest of it is passed.
  case passedOnce
}
