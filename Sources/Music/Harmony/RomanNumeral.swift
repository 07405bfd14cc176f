/// A chord by its degree in a key: `ii7`, `bVII`, `viiø7`, `V7/V`.
///
/// - The numeral counts the tones of the key's scale, if it has seven; else those of the major
///   scale. So VII in A minor is G; but a diminished chord on the seventh of a key with a minor
///   third stands on the leading tone, as everybody writes it: vii° in A minor is G#dim.
/// - Signs before it raise or lower that root by semitones: bVII in C major is Bb.
/// - Capitals are major and small letters minor, unless the quality says more. A bare 7 is a
///   minor seventh over either: V7 is dominant, ii7 minor; write Imaj7 for the major one.
/// - After a slash stands the degree whose key is meant: a major key for capitals, a minor one for
///   small letters. V7/V in C major is D7.
public struct RomanNumeral: Hashable, Sendable, CustomStringConvertible {
  /// As it was written.
  public let description: String
  /// From the chord itself to the key it is in at last.
  private let degrees: [Degree]
  private let formula: ChordFormula

  private struct Degree: Hashable, Sendable {
    /// From 0.
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
    (description, self.degrees, self.formula) = (text, degrees, formula)
  }

  /// The chord that it is in a key.
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
  /// Those that begin like another come before it.
  private static let numerals: [(text: String, step: Int)] = [
    ("VII", 6), ("VI", 5), ("IV", 3), ("V", 4), ("III", 2), ("II", 1), ("I", 0),
  ]

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

extension RomanNumeral: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(named: text) } catch { throw container.problem(error) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
