/// The quality of a chord, such as major, minor or seventh: its intervals above the root and their
/// just tuning.
public struct ChordFormula: Hashable, Sendable {
  /// The first spelling, such as `maj7`.
  public let name: String
  /// The intervals from the root, `1`, up; ninths and beyond lie above the octave.
  public let intervals: [Interval]
  /// The just tuning of an unaccompanied choir: whole numbers in the ratio of the tones.
  public let justParts: [Int]

  /// Each formula's spellings, of which the first is its name, its intervals, and its just tuning.
  ///
  /// - Source: the ratios of barbershop practice, where sevenths are 7/4 and diminished fifths 7/5;
  ///   for chords outside the harmonic series, the simplest ratios of 5-limit tuning.
  private static let table: [(spellings: [String], intervals: String, parts: String)] = [
    (["maj", "", "M", "major"], "1 3 5", "4:5:6"),
    (["min", "m", "-", "minor"], "1 b3 5", "10:12:15"),
    (["dim", "o", "°"], "1 b3 b5", "5:6:7"),
    (["aug", "+"], "1 3 #5", "16:20:25"),
    (["sus2"], "1 2 5", "8:9:12"),
    (["sus4", "sus"], "1 4 5", "6:8:9"),
    (["5"], "1 5", "2:3"),
    (["6", "maj6", "M6"], "1 3 5 6", "12:15:18:20"),
    (["min6", "m6", "-6"], "1 b3 5 6", "30:36:45:50"),
    (["7"], "1 3 5 b7", "4:5:6:7"),
    (["maj7", "M7", "Δ"], "1 3 5 7", "8:10:12:15"),
    (["min7", "m7", "-7"], "1 b3 5 b7", "10:12:15:18"),
    (["minmaj7", "mM7", "mmaj7"], "1 b3 5 7", "40:48:60:75"),
    (["dim7", "o7", "°7"], "1 b3 b5 bb7", "10:12:14:17"),
    (["hdim7", "hdim", "m7b5", "ø", "ø7"], "1 b3 b5 b7", "5:6:7:9"),
    (["aug7", "+7"], "1 3 #5 b7", "16:20:25:28"),
    (["7sus4", "7sus"], "1 4 5 b7", "12:16:18:21"),
    (["7b9"], "1 3 5 b7 b9", "8:10:12:14:17"),
    (["7#9"], "1 3 5 b7 #9", "12:15:18:21:28"),
    (["9"], "1 3 5 b7 9", "8:10:12:14:18"),
    (["maj9", "M9"], "1 3 5 7 9", "8:10:12:15:18"),
    (["min9", "m9", "-9"], "1 b3 5 b7 9", "20:24:30:36:45"),
    (["add9"], "1 3 5 9", "4:5:6:9"),
    (["madd9", "minadd9"], "1 b3 5 9", "20:24:30:45"),
    (["69"], "1 3 5 6 9", "12:15:18:20:27"),
    (["11"], "1 3 5 b7 9 11", "24:30:36:42:54:64"),
    (["13"], "1 3 5 b7 9 13", "12:15:18:21:27:40"),
  ]

  /// The intervals in semitones, rising from the root, 0.
  public var semitones: [Int] { intervals.map(\.semitones) }

  /// The pitch classes above the root.
  public var tones: ToneSet { ToneSet(semitones) }

  /// All formulas, the most common first.
  public static let all: [ChordFormula] = table.map(ChordFormula.init)

  /// The names of all formulas.
  public static let names = table.map { $0.spellings[0] }

  private static let bySpelling: [String: ChordFormula] = {
    var known: [String: ChordFormula] = [:]
    for (row, formula) in zip(table, all) {
      for spelling in row.spellings { known[spelling] = formula }
    }
    return known
  }()

  private init(_ row: (spellings: [String], intervals: String, parts: String)) {
    name = row.spellings[0]
    intervals = row.intervals.split(separator: " ").map { Interval(spelled: String($0))! }
    justParts = row.parts.split(separator: ":").map { Int($0)! }
  }

  /// The text after a root: empty for major, `m7` for a minor seventh.
  public var symbol: String {
    if name == "maj" { return "" }
    return name.hasPrefix("min") ? "m" + name.dropFirst(3) : name
  }

  /// The formula of a spelling; `nil` if there is none.
  public init?(spelled text: String) {
    guard let known = Self.bySpelling[text] else { return nil }
    self = known
  }
}
