/// A pitch in any octave: C is 0, B is 11.
public struct PitchClass: NamedValue, Hashable, Sendable {
  /// Semitones above C, 0 to 11.
  public let semitones: Int

  /// - Parameter semitones: above C, or below it if negative; any octave.
  public init(_ semitones: Int) { self.semitones = ((semitones % 12) + 12) % 12 }

  /// Reads a name such as `C`, `F#`, `Bb` or `E♭`.
  public init(named text: String) throws(MusicError) {
    guard let (pitch, rest) = Self.spelled(at: text[...]), rest.isEmpty else {
      throw .pitchClass(text)
    }
    self.init(pitch)
  }

  /// Returns the pitch at the beginning of `text` and the rest of the text. The pitch is in semitones
  /// above the C of its letter's octave: Cb is -1 and B# is 12.
  static func spelled(at text: Substring) -> (semitones: Int, rest: Substring)? {
    SpelledPitch.read(at: text).map { ($0.pitch.semitones, $0.rest) }
  }

  private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

  /// The name, with a sharp for a black key. `Key.spelling` has the name in a key.
  public func name() -> String { Self.names[semitones] }

  public var description: String { name() }
}
