/// A pitch in any octave: C is 0, B is 11.
public struct PitchClass: Hashable, Sendable, CustomStringConvertible {
  /// Semitones above C, 0 to 11.
  public let semitones: Int

  /// Any number of semitones above (or below) C.
  public init(_ semitones: Int) { self.semitones = ((semitones % 12) + 12) % 12 }

  /// From a name such as `C`, `F#`, `Bb` or `E♭`.
  public init(named text: String) throws(MusicError) {
    guard let (pitch, rest) = Self.spelled(at: text[...]), rest.isEmpty else {
      throw .pitchClass(text)
    }
    self.init(pitch)
  }

  /// The pitch that `text` begins with, as semitones above the C of its letter's octave (so Cb is
  /// -1 and B# is 12), and what follows it.
  static func spelled(at text: Substring) -> (semitones: Int, rest: Substring)? {
    guard let letter = text.first, let step = letters[letter] else { return nil }
    var (semitones, rest) = (step, text.dropFirst())
    while let sign = rest.first, let change = accidentals[sign] {
      semitones += change
      rest = rest.dropFirst()
    }
    return (semitones, rest)
  }

  private static let letters: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]
  private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]

  static let sharpNames = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
  static let flatNames = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]

  public func name(flats: Bool = false) -> String {
    (flats ? Self.flatNames : Self.sharpNames)[semitones]
  }

  public var description: String { name() }
}
