import Foundation

/// A chord by its label in the syntax of Harte: `C`, `A:min7`, `Eb:maj(9)/3`, `N` for none, `X` for one that
/// the syntax can't name.
///
/// - Source: Harte, Sandler, Abdallah and Gómez, "Symbolic representation of musical chords", ISMIR 2005;
///   qualities and their tones as in mir_eval 0.8.2, chord.
struct ChordLabel: Equatable, Sendable {
  /// Semitones above C; -1 without a root.
  var root = -1
  /// 1 for each tone of the chord by semitones above the root; all -1 for `X`.
  var tones = [Int](repeating: 0, count: 12)
  /// Semitones above the root; -1 without a root.
  var bass = -1

  /// - Parameters:
  ///   - reducing: true to read `9`, `11` and `13` as a seventh chord with added tones.
  /// - Returns: `nil` for a label of another syntax.
  init?(_ label: String, reducing: Bool = false) {
    if label == "N" { return }
    if label == "X" {
      tones = [Int](repeating: -1, count: 12)
      return
    }
    guard let parts = try? Self.syntax.wholeMatch(in: label) else { return nil }
    root = Self.naturals[parts.1.first!]! + Self.raise(parts.1.dropFirst())
    root = (root + 24 * 12) % 12
    var quality = parts.2.map(String.init) ?? ""
    var added = (parts.3 ?? "").split(separator: ",").map(String.init)
    if quality.isEmpty, added.isEmpty {
      guard !label.contains(":") else { return nil }
      quality = "maj"
    }
    if reducing, let (plain, more) = Self.extended[quality] {
      quality = plain
      added = Array(Set(added + more))
    }
    guard let known = quality.isEmpty ? [] : Self.qualities[quality] else { return nil }
    for tone in known { tones[tone] = 1 }
    tones[0] = 1
    for degree in added {
      let isOmitted = degree.hasPrefix("*")
      guard let semitones = Self.semitones(isOmitted ? degree.dropFirst() : degree[...]) else {
        return nil
      }
      guard semitones < 12 || reducing else { continue }
      tones[(semitones + 12) % 12] += isOmitted ? -1 : 1
    }
    tones = tones.map { $0 > 0 ? 1 : 0 }
    guard let bass = Self.semitones((parts.4 ?? "1")[...]) else { return nil }
    self.bass = (bass + 12) % 12
    tones[self.bass] = 1
  }

  /// Returns true if two labels of chords have the same root and tones.
  static func matches(_ first: String, _ second: String) -> Bool {
    guard let a = ChordLabel(first), let b = ChordLabel(second) else { return false }
    return a.root == b.root && a.tones == b.tones
  }

  var isNone: Bool { root < 0 && tones.allSatisfy { $0 == 0 } }
  /// True for `X`.
  var isUnknown: Bool { tones[0] < 0 }

  /// Pitch classes above C; all for `X`, as in mir_eval.
  var pitchClasses: Set<Int> {
    Set(tones.indices.filter { tones[$0] != 0 }.map { ($0 + root + 12) % 12 })
  }

  private static var syntax: Regex<(Substring, Substring, Substring?, Substring?, Substring?)> {
    /([A-G](?:b*|#*))(?::(?=.)([a-z0-9]*)(?:\(([b#*0-9,]+)\))?)?(?:\/((?:b*|#*)[0-9]+))?/
  }

  private static let naturals: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]
  private static let degrees = [0, 2, 4, 5, 7, 9, 11, 12, 14, 16, 17, 19, 21]

  private static func raise(_ signs: Substring) -> Int {
    signs.reduce(0) { $0 + ($1 == "#" ? 1 : -1) }
  }

  /// Returns the semitones of a degree such as `b7`; `nil` for one beyond 13.
  private static func semitones(_ degree: Substring) -> Int? {
    let signs = degree.prefix { $0 == "b" || $0 == "#" }
    guard let number = Int(degree.dropFirst(signs.count)), 1...13 ~= number else { return nil }
    return degrees[number - 1] + raise(signs)
  }

  private static let qualities: [String: [Int]] = [
    "maj": [4, 7], "min": [3, 7], "aug": [4, 8], "dim": [3, 6], "sus4": [5, 7], "sus2": [2, 7],
    "7": [4, 7, 10], "maj7": [4, 7, 11], "min7": [3, 7, 10], "minmaj7": [3, 7, 11],
    "maj6": [4, 7, 9], "min6": [3, 7, 9], "dim7": [3, 6, 9], "hdim7": [3, 6, 10],
    "maj9": [4, 7, 11], "min9": [3, 7, 10], "9": [4, 7, 10], "min11": [3, 7, 10],
    "11": [4, 7, 10], "maj13": [4, 7, 11], "min13": [3, 7, 10], "13": [4, 7, 10], "1": [],
    "5": [7],
  ]

  private static let extended: [String: (String, [String])] = [
    "minmaj7": ("min", ["7"]), "maj9": ("maj7", ["9"]), "min9": ("min7", ["9"]),
    "9": ("7", ["9"]), "11": ("7", ["9", "11"]), "13": ("7", ["9", "11", "13"]),
    "min11": ("min7", ["9", "11"]), "maj13": ("maj7", ["9", "11", "13"]),
    "min13": ("min7", ["9", "11", "13"]),
  ]
}
