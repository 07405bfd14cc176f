/// A chord by its degree in a key: `ii7`, `bVII`, `viiø7`, `V7/V`.
///
/// - The numeral counts the tones of the key's scale if it has seven, otherwise those of the major
///   scale: VII in A minor is G. A diminished chord on the seventh degree of a minor key stands on
///   the leading tone, as is usual: vii° in A minor is G#dim.
/// - Signs before the numeral raise or lower its root by semitones: bVII in C major is Bb.
/// - Capitals are major and small letters minor, unless the quality differs. A bare 7 is a minor
///   seventh over either: V7 is dominant, ii7 minor; Imaj7 has a major seventh.
/// - A slash precedes the degree whose key is meant: a major key for capitals, a minor one for small
///   letters. V7/V in C major is D7.
public struct RomanNumeral: NamedValue, Hashable, Sendable {
  private let written: WrittenName
  /// The degrees, from the chord's own to that of the outermost key.
  private let degrees: [Degree]
  private let formula: ChordFormula

  private struct Degree: Hashable, Sendable {
    /// Steps above the tonic, from 0.
    var step: Int
    var alteration: Int
    var isMajor: Bool
  }

  public init(named text: String) throws(MusicError) {
    var (degrees, formula): ([Degree], ChordFormula?) = ([], nil)
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let (degree, quality) = Self.degree(at: part) else { throw .romanNumeral(text) }
      if degrees.isEmpty {
        formula = Self.formula(quality, isMajor: degree.isMajor)
      } else if !quality.isEmpty {
        throw .romanNumeral(text)
      }
      degrees.append(degree)
    }
    guard let formula else { throw .romanNumeral(text) }
    (written, self.degrees, self.formula) = (WrittenName(text), degrees, formula)
  }

  /// The text as it was written. Numerals of other names may be equal.
  public var description: String { written.text }

  /// Returns the chord that the numeral stands for in a key.
  public func chord(in key: Key) -> Chord {
    var key = key
    for degree in degrees.dropFirst().reversed() {
      key = Key(Self.root(degree, in: key), degree.isMajor ? Self.major : Self.minor)
    }
    var degree = degrees[0]
    let isDiminished = formula.tones.contains(6) && !formula.tones.contains(7)
    let isMinorKey = key.scale.contains(3) && key.scale.contains(10) && !key.scale.contains(4)
    if degree.step == 6, degree.alteration == 0, isDiminished, isMinorKey { degree.alteration = 1 }
    return Chord(Self.root(degree, in: key), formula)
  }

  private static let major = Scale.named[0]
  private static let minor = Scale.named[1]
  /// Numerals and their steps; one that begins with another comes before it.
  private static let numerals: [(text: String, step: Int)] = [
    ("VII", 6), ("VI", 5), ("IV", 3), ("V", 4), ("III", 2), ("II", 1), ("I", 0),
  ]

  /// The numeral of a chord in a key, without its bass; `nil` if no numeral stands for the chord.
  public init?(_ chord: Chord, in key: Key) {
    let (root, tonic) = (chord.spelledRoot, key.spelledTonic)
    let step = (root.letter - tonic.letter + 7) % 7
    let plain = Self.root(Degree(step: step, alteration: 0, isMajor: true), in: key)
    let upperCase = Self.numerals.first { $0.step == step }!.text  // all seven steps are there
    let isMinor = chord.formula.isMinor
    let quality = isMinor ? Self.minorQuality(chord.formula) : chord.formula.symbol
    let numeral = (isMinor ? upperCase.lowercased() : upperCase) + quality
    // A diminished chord on the leading tone of a minor key has no sign.
    for alteration in [0, root.alteration - plain.alteration] {
      guard let known = try? RomanNumeral(named: SpelledPitch.signs(alteration) + numeral) else {
        continue
      }
      let found = known.chord(in: key)
      guard found.spelledRoot == root, found.formula == chord.formula else { continue }
      self = known
      return
    }
    return nil
  }

  /// The quality after a small letter, which stands for the minor third already.
  private static func minorQuality(_ formula: ChordFormula) -> String {
    switch formula.name {
    case "dim": "°"
    case "dim7": "°7"
    case "hdim7": "ø7"
    default: String(formula.symbol.dropFirst())  // the m
    }
  }

  private static func degree(at text: Substring) -> (degree: Degree, quality: String)? {
    let (alteration, rest) = SpelledPitch.alteration(at: text)
    for (numeral, step) in numerals {
      for (name, isMajor) in [(numeral, true), (numeral.lowercased(), false)]
      where rest.hasPrefix(name) {
        let degree = Degree(step: step, alteration: alteration, isMajor: isMajor)
        return (degree, String(rest.dropFirst(name.count)))
      }
    }
    return nil
  }

  private static func formula(_ quality: String, isMajor: Bool) -> ChordFormula? {
    isMajor
      ? ChordFormula(spelled: quality)
      : ChordFormula(spelled: "m" + quality) ?? ChordFormula(spelled: quality)
  }

  private static func root(_ degree: Degree, in key: Key) -> SpelledPitch {
    let scale = key.scale.semitones.count == 7 ? key.scale : major
    let plain = Interval(steps: degree.step).semitones
    let alteration = scale.semitones[degree.step] - plain + degree.alteration
    return key.spelledTonic.raised(by: Interval(steps: degree.step, alteration: alteration))
  }
}
