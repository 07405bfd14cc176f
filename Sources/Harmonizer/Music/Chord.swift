/// A chord by name: `C:maj7`, `Am`, `Bdim`, `G7/B`.
///
/// Root, formula, and after a slash another bass. The colon is optional.
public struct Chord: Hashable, Sendable, CustomStringConvertible {
  public let root: PitchClass
  public let formula: ChordFormula
  /// The lowest tone; the root unless the name says otherwise.
  public let bass: PitchClass
  /// As it was written.
  public let description: String

  public init(named text: String) throws(MusicError) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (root, rest) = PitchClass.spelled(at: parts.first ?? "") else {
      throw .pitchClass(text)
    }
    let quality = rest.hasPrefix(":") ? rest.dropFirst() : rest
    guard let formula = ChordFormula(spelled: String(quality)) else {
      throw .chord(text, unknownQuality: String(quality))
    }
    self.root = PitchClass(root)
    self.formula = formula
    bass = parts.count == 2 ? try PitchClass(named: String(parts[1])) : self.root
    description = text
  }

  /// The keys of the chord, rising: the bass is the first of its name at or above `lowest`.
  ///
  /// Over its root a chord is as wide as its formula. Over another bass, whether of the chord or
  /// not, its tones lie within the octave above that bass.
  public func notes(from lowest: Int) -> [Int] {
    let ground = lowest + PitchClass(bass.semitones - lowest).semitones
    if bass == root { return formula.semitones.map { ground + $0 } }
    let above = formula.semitones.map {
      PitchClass(root.semitones + $0 - bass.semitones).semitones
    }
    return Set(above + [0]).sorted().map { ground + $0 }
  }
}

extension Chord: Codable {
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
