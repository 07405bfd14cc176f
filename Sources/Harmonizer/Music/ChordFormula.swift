/// What makes a chord major, minor, seventh, …: its tones in semitones above the root.
public struct ChordFormula: Hashable, Sendable {
  /// The spelling used in names, `maj7` for one.
  public let name: String
  /// From the root, 0, up; ninths and beyond lie over the octave.
  public let semitones: [Int]

  /// One formula and every way to write it; the first is its name.
  private static let table: [(spellings: [String], semitones: [Int])] = [
    (["maj", "", "M", "major"], [0, 4, 7]),
    (["min", "m", "-", "minor"], [0, 3, 7]),
    (["dim", "o", "°"], [0, 3, 6]),
    (["aug", "+"], [0, 4, 8]),
    (["sus2"], [0, 2, 7]),
    (["sus4", "sus"], [0, 5, 7]),
    (["5"], [0, 7]),
    (["6", "maj6", "M6"], [0, 4, 7, 9]),
    (["min6", "m6", "-6"], [0, 3, 7, 9]),
    (["7"], [0, 4, 7, 10]),
    (["maj7", "M7", "Δ"], [0, 4, 7, 11]),
    (["min7", "m7", "-7"], [0, 3, 7, 10]),
    (["minmaj7", "mM7", "mmaj7"], [0, 3, 7, 11]),
    (["dim7", "o7", "°7"], [0, 3, 6, 9]),
    (["hdim7", "hdim", "m7b5", "ø"], [0, 3, 6, 10]),
    (["aug7", "+7"], [0, 4, 8, 10]),
    (["7sus4", "7sus"], [0, 5, 7, 10]),
    (["7b9"], [0, 4, 7, 10, 13]),
    (["7#9"], [0, 4, 7, 10, 15]),
    (["9"], [0, 4, 7, 10, 14]),
    (["maj9", "M9"], [0, 4, 7, 11, 14]),
    (["min9", "m9", "-9"], [0, 3, 7, 10, 14]),
    (["add9"], [0, 4, 7, 14]),
    (["madd9", "minadd9"], [0, 3, 7, 14]),
    (["69"], [0, 4, 7, 9, 14]),
    (["11"], [0, 4, 7, 10, 14, 17]),
    (["13"], [0, 4, 7, 10, 14, 21]),
  ]

  /// The names of all formulas.
  public static let names = table.map { $0.spellings[0] }

  private static let bySpelling: [String: ChordFormula] = {
    var known: [String: ChordFormula] = [:]
    for (spellings, semitones) in table {
      let formula = ChordFormula(name: spellings[0], semitones: semitones)
      for spelling in spellings { known[spelling] = formula }
    }
    return known
  }()

  private init(name: String, semitones: [Int]) {
    (self.name, self.semitones) = (name, semitones)
  }

  /// `nil` where no formula is written like that.
  public init?(spelled text: String) {
    guard let known = Self.bySpelling[text] else { return nil }
    self = known
  }
}
