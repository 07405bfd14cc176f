import DSP
import Music

extension Conductor {
  /// Settings for all voices together.
  public struct Settings: ParameterizedSettings {
    public var key = Key.cMajor
    public var outOfKey = OutOfKeyPolicy.nearestTone
    public var tuning = Tuning()
    /// Distance beyond the middle between two notes at which the lead changes from one to the
    /// other.
    public var hysteresisCents = 30.0
    /// Limits between the voices that sing the chord.
    public var spacingSemitones = 12
    public var bassSpacingSemitones = 19
    /// Gives the lowest of them the chord's bass, as in `C/E`.
    public var keepsBass = false
    public var policy = VoiceAllocator.Policy.oldest
    /// Notes that begin that soon after a chord's first belong to it.
    public var strumMs = 60.0
    /// True if a key that sounds begins anew when it is pressed again.
    public var retriggers = true
    /// Chords that come by the clock; those set by hand hold until the track's next.
    public var chordTrack = ChordTrack([])

    public static let parameters: [Parameter<Settings>] = [
      .init("key", part: \.key), .init("outOfKey", part: \.outOfKey),
      .init("tuning", part: \.tuning),
      .init("hysteresisCents", \.hysteresisCents, in: 0...50, "hysteresis between two notes"),
      .init(
        "spacingSemitones", \.spacingSemitones, in: 1...127, "widest distance between led voices"),
      .init(
        "bassSpacingSemitones", \.bassSpacingSemitones, in: 1...127,
        "widest distance between the lowest two led voices"),
      .init("keepsBass", \.keepsBass, "the lowest led voice sings the chord's bass"),
      .init("policy", \.policy, "choice of the voice that sings a key"),
      .init("strumMs", \.strumMs, in: 0...1000, "time in which keys belong to one chord"),
      .init("retriggers", \.retriggers, "a key that sounds begins anew when pressed again"),
      .init("chordTrack", part: \.chordTrack),
    ]

    public init() {}

    public init(key: Key) { self.key = key }

    /// - Parameter parts: of the voices that go by these settings.
    public func validate(for parts: [VoicePart]) throws(SettingsError) {
      try require("the number of parts", Double(parts.count), in: 1...16)
      for part in parts { try part.validate() }
      try validate()
      try chordTrack.validate()
      let registers = registers(of: parts)
      if !registers.isEmpty { try VoiceLeading.validate(registers) }
    }

    /// Returns the registers of the voices that sing the chord.
    func registers(of parts: [VoicePart]) -> [VoiceLeading.Register] {
      parts.compactMap { if case .chord(let register) = $0.role { register } else { nil } }
    }
  }
}
