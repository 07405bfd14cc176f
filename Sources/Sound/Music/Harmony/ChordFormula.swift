import Foundation

/// The quality of a chord, such as major, minor or seventh: its intervals above the root and their
/// just tuning.
public struct ChordFormula: Hashable, Sendable {
  /// The first spelling, such as `maj7`.
  public let name: String
  /// The intervals from the root, `1`, up; ninths and beyond lie above the octave.
  public let intervals: [Interval]
  /// The just tuning of an unaccompanied choir: whole numbers in the ratio of the tones.
  public let justParts: [Int]

  /// Each formula's spellings, of which the first is its name, its intervals, and its just tuning, the
  /// most common first.
  ///
  /// - Source: the ratios of barbershop practice, where sevenths are 7/4 and diminished fifths 7/5;
  ///   for chords outside the harmonic series, the simplest ratios of 5-limit tuning.
  private static let table = try! JSONDecoder().decode(  // the file is part of the program
    [Row].self, from: Data(PackageResources.chords_json))

  private struct Row: Decodable {
    var spellings: [String]
    var intervals: String
    var justParts: [Int]
  }

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

  private init(_ row: Row) {
    name = row.spellings[0]
    intervals = row.intervals.split(separator: " ").map { Interval(spelled: String($0))! }
    justParts = row.justParts
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
