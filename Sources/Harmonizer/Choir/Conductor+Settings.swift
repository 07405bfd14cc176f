import DSP
import Music

extension Conductor {
  /// Settings for all voices together.
  public struct Settings: Codable, Equatable, Sendable {
    public var key: Key
    public var outOfKey = OutOfKeyPolicy.nearestTone
    public var tuning = Tuning()
    /// Distance beyond the middle between two notes at which the lead changes from one to the
    /// other.
    public var hysteresisCents = 30.0
    /// Limits between the voices that sing the chord.
    public var spacingSemitones = 12
    public var bassSpacingSemitones = 19
    /// Gives the lowest of them the chord's bass.
    public var keepsBass = false
    public var policy = VoiceAllocator.Policy.oldest
    public var strumMs = 60.0
    public var retriggers = true
    /// Chords that come by the clock; those set by hand hold until the track's next.
    public var chordTrack = ChordTrack([])

    public init(key: Key = .cMajor) { self.key = key }

    /// - Parameter parts: of the voices that go by these settings.
    public func validate(for parts: [VoicePart]) throws(SettingsError) {
      try require("the number of parts", Double(parts.count), in: 1...16)
      for part in parts { try part.validate() }
      try require("hysteresisCents", hysteresisCents, in: 0...50)
      try tuning.validate()
      try chordTrack.validate()
      try leading(parts)?.validate()
      try allocation(parts).validate()
    }

    func leading(_ parts: [VoicePart]) -> VoiceLeading.Settings? {
      let registers = parts.compactMap { part -> VoiceLeading.Register? in
        if case .chord(let register) = part.role { register } else { nil }
      }
      guard !registers.isEmpty else { return nil }
      var leading = VoiceLeading.Settings(registers: registers)
      leading.spacingSemitones = spacingSemitones
      leading.bassSpacingSemitones = bassSpacingSemitones
      leading.keepsBass = keepsBass
      return leading
    }

    func allocation(_ parts: [VoicePart]) -> VoiceAllocator.Settings {
      // Where no voice goes by keys the allocator serves none, and one costs nothing.
      var allocation = VoiceAllocator.Settings(
        voiceCount: max(1, parts.count { $0.role == .held }))
      (allocation.policy, allocation.strumMs) = (policy, strumMs)
      allocation.retriggers = retriggers
      return allocation
    }
  }
}
