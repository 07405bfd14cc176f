import DSP

/// A spelled pitch class: a letter and its signs. F# and Gb spell the same pitch class.
///
/// Spellings have an order on the line of fifths, … Bb F C G D A E B F# …, with C at 0. The distance
/// on that line decides which spelling is nearer to a key.
public struct SpelledPitch: Hashable, Sendable, CustomStringConvertible {
  /// C is 0, B is 6.
  public let letter: Int
  /// Sharps, or flats if negative.
  public let alteration: Int

  public init(letter: Int, alteration: Int) {
    (self.letter, self.alteration) = (((letter % 7) + 7) % 7, alteration)
  }

  /// Reads a name such as `C`, `F#`, `Bb`, `E♭` or `F##`.
  public init(named text: String) throws(MusicError) {
    guard let (pitch, rest) = Self.read(at: text[...]), rest.isEmpty else {
      throw .pitchClass(text)
    }
    self = pitch
  }

  /// The spelling at a place on the line of fifths, counted from C.
  public init(fifths: Int) {
    let alteration = floorOf(Double(fifths + 1) / 7)
    self.init(letter: 4 * (fifths - 7 * alteration), alteration: alteration)
  }

  /// The place on the line of fifths, counted from C.
  public var fifths: Int { (letter * 2 + 1) % 7 - 1 + 7 * alteration }

  public var pitchClass: PitchClass { PitchClass(semitones) }

  /// Semitones above the C of the letter's octave: Cb is -1 and B# is 12.
  var semitones: Int { Self.letterSemitones[letter] + alteration }

  /// Returns the pitch an interval above.
  public func raised(by interval: Interval) -> SpelledPitch {
    let octaves = floorOf(Double(letter + interval.steps) / 7)
    let target = letter + interval.steps - 7 * octaves
    let plain = Self.letterSemitones[target] + 12 * octaves
    return SpelledPitch(letter: target, alteration: semitones + interval.semitones - plain)
  }

  /// Returns the name of a key of this pitch class, with the octave of the letter: Cb5 for key 71.
  public func name(ofNote note: Int) -> String {
    "\(self)\(floorOf(Double(note - semitones) / 12) - 1)"
  }

  public var description: String { "\(Self.letters[letter])" + Self.signs(alteration) }

  static let letters: [Character] = ["C", "D", "E", "F", "G", "A", "B"]
  static let letterSemitones = [0, 2, 4, 5, 7, 9, 11]
  private static let accidentals: [Character: Int] = ["#": 1, "♯": 1, "b": -1, "♭": -1]

  /// Returns the pitch at the beginning of `text`, and the rest of the text.
  static func read(at text: Substring) -> (pitch: SpelledPitch, rest: Substring)? {
    guard let first = text.first, let letter = letters.firstIndex(of: first) else { return nil }
    let (alteration, rest) = alteration(at: text.dropFirst())
    return (SpelledPitch(letter: letter, alteration: alteration), rest)
  }

  /// Returns the signs at the beginning of `text`, and the rest of the text.
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
