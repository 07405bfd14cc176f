import Analyzer
import DSP

extension Harmonizer {
  /// One member of the choir.
  public struct Voice: Equatable, Sendable {
    public var part: VoicePart
    public var gain = 1.0
    /// -1 is left, 1 is right; heard in stereo alone.
    public var pan = 0.0
    public var detuneCents = 0.0
    /// Shift of its formants beside the engine's shift of all formants: positive is a smaller
    /// mouth. With engines that can (`Engine.movesFormants`).
    public var formantShiftSemitones = 0.0
    /// Extra delay of the voice.
    public var delayMs = 0.0
    public var consonants = ConsonantPolicy.kept
    /// The level of a note from its press to its end; without one it comes and goes within 5 ms.
    public var envelope: Envelope.Settings?
    public var expression = VoiceExpression.Settings()

    public init(_ role: VoicePart.Role, leadShare: Double? = nil, gain: Double = 1) {
      part = VoicePart(role, leadShare: leadShare)
      self.gain = gain
    }

    /// A fixed distance from the lead; negative is below.
    public init(intervalSemitones: Double, gain: Double = 1) {
      self.init(.interval(semitones: intervalSemitones), gain: gain)
    }

    public func validate() throws(SettingsError) {
      if case .interval(let semitones) = part.role {
        try require("intervalSemitones", semitones, in: Engine.shiftRange)
      }
      try part.validate()
      try require("gain", gain, in: 0...4)
      try require("pan", pan, in: -1...1)
      try require("detuneCents", detuneCents, in: -100...100)
      try require("formantShiftSemitones", formantShiftSemitones, in: -24...24)
      try require("delayMs", delayMs, in: 0...500)
      try envelope?.validate()
      try expression.validate()
    }

    /// Shift that the engine starts with.
    var firstShiftSemitones: Double {
      if case .interval(let semitones) = part.role { return semitones + detuneCents / 100 }
      return detuneCents / 100
    }

    /// True if it keeps one interval, whatever is heard: then it costs no more than its engine.
    func isFixed(in tuning: Tuning) -> Bool {
      guard case .interval = part.role, part.leadShare ?? 1 == 1 else { return false }
      return tuning.temperament == .equal && consonants == .kept && envelope == nil
        && expression == VoiceExpression.Settings()
    }
  }

  /// Settings; every report has a copy.
  public struct Settings: Codable, Equatable, Sendable {
    public var voices: [Voice]
    /// Level of the untouched lead in the mix.
    public var dryGain = 0.0
    /// Place of the dry lead, as a voice's `pan`.
    public var dryPan = 0.0
    /// Width of the choir: 1 puts the first voice left and the last right, over their pans.
    public var spread = 0.0
    public var engine: Engine
    /// Key, chords, tuning and how voices are led and given notes.
    public var music = Conductor.Settings()
    /// Tracking of the lead's pitch, where any voice needs it.
    public var tracking = Settings.promptTracking
    /// Length of the fades of gated voices.
    public var gateMs = 7.0
    /// Share of the velocity in the level of held and explicit notes: 1 makes the level the share
    /// of the greatest velocity.
    public var velocityShare = 0.0
    /// Seed for all random variation.
    public var seed: UInt64 = 1

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
      try require("dryGain", dryGain, in: 0...4)
      try require("dryPan", dryPan, in: -1...1)
      try require("spread", spread, in: 0...1)
      try require("gateMs", gateMs, in: 1...50)
      try require("velocityShare", velocityShare, in: 0...1)
      try engine.validate()
      for (index, voice) in voices.enumerated() { try engine.validate(voice, index: index) }
      try music.validate(for: voices.map(\.part))
      try tracking.validate()
    }

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
      return delay + release + Engine.swayMs
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
  /// its level, as late as the engine is, and not transposed.
  case passedOnce
}
