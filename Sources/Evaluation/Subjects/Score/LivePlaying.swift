import Harmonizer

/// Options for playing a score to a choir as to a live instrument. By default the score assigns every
/// note to a voice beforehand (see `VoiceAllocation`).
///
/// Plans always use the default, because targets follow the score's own allocation.
public struct LivePlaying: Equatable, Sendable {
  /// The part that assigns notes to voices.
  public enum Allocation: Equatable, Sendable {
    /// The score, which knows the notes to come.
    case score
    /// The harmonizer, at each key press.
    case keys(VoiceAllocator.Policy)
    /// Voice leading from chord to chord.
    case led
  }

  public var allocation = Allocation.score
  /// Number of voices played by keys or led; by default those of the score, or four led ones.
  public var voiceCount: Int?
  /// Registers of led voices, from the lowest up; by default those of a choir.
  public var registers: [VoiceLeading.Register]?
  /// Holds released keys until the first key of a new chord.
  public var latches = false
  /// Key of an additional voice that holds it throughout.
  public var pedalBass: Int?
  /// Adds a voice on a chord tone above the lead.
  public var hasDescant = false

  public init() {}

  /// True if all options have their defaults.
  public var isPlain: Bool { self == LivePlaying() }

  /// Returns registers for led voices, from bass to soprano: those of `VoiceLeading.choir`
  /// for four, equally spaced over the same range for any other count.
  public static func registers(count: Int) -> [VoiceLeading.Register] {
    let choir = VoiceLeading.choir
    guard count != choir.count else { return choir }
    return (0..<count).map { voice in
      let height = count > 1 ? Double(voice) / Double(count - 1) : 0.5
      return VoiceLeading.Register(
        Int((40 + 20 * height).rounded()), Int((60 + 21 * height).rounded()))
    }
  }
}

extension Score {
  /// Returns the choir for playing this score live.
  ///
  /// - Throws: a `SettingError` if the options need notes or chords that the score does not have.
  public func choir(playing: LivePlaying) throws(SettingError) -> Harmonizer.Settings {
    var choir = choir()
    if !followsNotes, playing.allocation != .score || playing.latches {
      throw SettingError(
        description: "these voices follow the lead; allocation is for notes, chords and MIDI files")
    }
    if !namesChords, playing.allocation == .led || playing.hasDescant {
      throw SettingError(
        description: "led voices and a descant need chords, but the score has only notes; name "
          + "chords instead")
    }
    switch playing.allocation {
    case .score:
      if playing.latches {
        throw SettingError(
          description: "a latch needs keys, which the score's own allocation does not use; choose "
            + "an allocation by keys")
      }
    case .keys(let policy):
      choir.voices = Self.voices(playing.voiceCount ?? voiceCount, .held)
      choir.music.policy = policy
    case .led:
      let registers = playing.registers ?? LivePlaying.registers(count: playing.voiceCount ?? 4)
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
    case .chords, .progression, .pads, .notes, .sequence, .midi: true
    }
  }

  private var namesChords: Bool {
    switch form {
    case .chords, .progression, .pads: true
    case .sequence(let sequence): !sequence.pads.isEmpty
    case .intervals, .degrees, .map, .tuned, .notes, .midi: false
    }
  }
}
