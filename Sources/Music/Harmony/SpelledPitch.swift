import DSP

/// A pitch class as it is written: a letter and its signs. F# and Gb are two of one pitch class.
///
/// Spellings lie on the line of fifths … Bb F C G D A E B F# …, C being 0; that says which of two
/// is nearer to a key.
public struct SpelledPitch: Hashable, Sendable, CustomStringConvertible {
  /// C is 0, B is 6.
  public let letter: Int
  /// Sharps, or flats if negative.
  public let alteration: Int

  public init(letter: Int, alteration: Int) {
    (self.letter, self.alteration) = (((letter % 7) + 7) % 7, alteration)
  }

  /// From a name such as `C`, `F#`, `Bb`, `E♭` or `F##`.
  public init(named text: String) throws(MusicError) {
    guard let (pitch, rest) = Self.read(at: text[...]), rest.isEmpty else {
      throw .pitchClass(text)
    }
    self = pitch
  }

  /// The spelling so many fifths above C.
  public init(fifths: Int) {
    let alteration = floorOf(Double(fifths + 1) / 7)
    self.init(letter: 4 * (fifths - 7 * alteration), alteration: alteration)
  }

  /// Place on the line of fifths.
  public var fifths: Int { (letter * 2 + 1) % 7 - 1 + 7 * alteration }

  public var pitchClass: PitchClass { PitchClass(semitones) }

  /// Above the C of the letter's octave: Cb is -1 and B# is 12.
  var semitones: Int { Self.letterSemitones[letter] + alteration }

  /// The pitch that interval above.
  public func raised(by interval: Interval) -> SpelledPitch {
    let octaves = floorOf(Double(letter + interval.steps) / 7)
    let target = letter + interval.steps - 7 * octaves
    let plain = Self.letterSemitones[target] + 12 * octaves
    return SpelledPitch(letter: target, alteration: semitones + interval.semitones - plain)
  }

  public var description: String { "\(Self.letters[letter])" + Self.signs(alteration) }

  static let letters: [Character] = ["C", "D", "E", "F", "G", "A", "B"]
  static let letterSemitones = [0, 2, 4, 5, 7, 9, 11]
  private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]

  /// The pitch that `text` begins with, and what follows it.
  static func read(at text: Substring) -> (pitch: SpelledPitch, rest: Substring)? {
    guard let first = text.first, let letter = letters.firstIndex(of: first) else { return nil }
    let (alteration, rest) = alteration(at: text.dropFirst())
    return (SpelledPitch(letter: letter, alteration: alteration), rest)
  }

  /// The signs that `text` begins with, and what follows them.
  static func alteration(at text: Substring) -> (alteration: Int, rest: Substring) {
    var (alteration, rest) = (0, text)
    while let sign = rest.first, let change = accidentals[sign] {
      alteration += change
      rest = rest.dropFirst()
    }
    return (alteration, rest)
  }

  static func signs(_ alteration: Int) -> String {
    String(repeating: alteration < 0 ? "b" : "#", count: abs(alteration))
  }
}
