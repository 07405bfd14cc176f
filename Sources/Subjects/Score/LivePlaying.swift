import Harmonizer

/// How a choir comes by its notes when a score is played to it as to a live instrument, where a
/// score by itself gives every note a voice beforehand (see `VoiceAllocation`).
///
/// What is judged is judged by the score's own rule, so plans do without it.
public struct LivePlaying: Equatable, Sendable {
  /// Who gives notes to voices.
  public enum Allocation: Equatable, Sendable {
    /// The score, knowing what is to follow.
    case score
    /// The harmonizer, key by key as they are pressed.
    case keys(VoiceAllocator.Policy)
    /// Nobody: voices are led from chord to chord.
    case led
  }

  public var allocation = Allocation.score
  /// Of voices that go by keys or are led; as many as the score takes, or four, unless given.
  public var voiceCount: Int?
  /// Of voices that are led, from the lowest up; as choirs have them unless given.
  public var registers: [VoiceLeading.Register]?
  /// Keys sound until the first of a new chord.
  public var latches = false
  /// A voice more, always on this key.
  public var pedalBass: Int?
  /// A voice more, on a tone of the chord above the lead.
  public var hasDescant = false

  public init() {}

  /// Whether nothing differs from what the score says.
  public var isPlain: Bool { self == LivePlaying() }

  /// Registers for so many led voices, from bass to soprano: those of `VoiceLeading.Settings.choir`
  /// for four, at equal steps between them for any other number.
  public static func registers(count: Int) -> [VoiceLeading.Register] {
    let choir = VoiceLeading.Settings.choir.registers
    guard count != choir.count else { return choir }
    return (0..<count).map { voice in
      let height = count > 1 ? Double(voice) / Double(count - 1) : 0.5
      return VoiceLeading.Register(
        Int((40 + 20 * height).rounded()), Int((60 + 21 * height).rounded()))
    }
  }
}

extension Score {
  /// The choir that is played this score live.
  ///
  /// - Throws: words for a person where the score gives no notes, or no chords, to go by.
  public func choir(playing: LivePlaying) throws(SettingError) -> Harmonizer.Settings {
    var choir = choir()
    if !followsNotes, playing.allocation != .score || playing.latches {
      throw SettingError(
        description: "these voices go by the lead; allocation is for notes, chords and MIDI files")
    }
    if !namesChords, playing.allocation == .led || playing.hasDescant {
      throw SettingError(
        description: "led voices and a descant go by chords, and there are only notes; choose "
          + "chords by name")
    }
    switch playing.allocation {
    case .score:
      if playing.latches {
        throw SettingError(
          description: "a latch holds keys, and the score's own allocation knows none; choose a "
            + "policy that goes by keys")
      }
    case .keys(let policy):
      choir.voices = Self.voices(playing.voiceCount ?? voiceCount, .held)
      choir.music.policy = policy
    case .led:
      let registers =
        playing.registers ?? LivePlaying.registers(count: playing.voiceCount ?? 4)
      choir.voices = registers.map { Harmonizer.Voice(.chord($0)) }
    }
    if let key = playing.pedalBass { choir.voices.append(.init(.pedal(key: key))) }
    if playing.hasDescant { choir.voices.append(.init(.descant)) }
    return choir
  }

  private static func voices(_ count: Int, _ role: VoicePart.Role) -> [Harmonizer.Voice] {
    Array(repeating: Harmonizer.Voice(role), count: max(0, count))
  }

  private var followsNotes: Bool {
    switch form {
    case .intervals, .degrees, .map, .tuned: false
    case .chords, .pads, .notes, .midi: true
    }
  }

  private var namesChords: Bool {
    switch form {
    case .chords, .pads: true
    case .intervals, .degrees, .map, .tuned, .notes, .midi: false
    }
  }
}
