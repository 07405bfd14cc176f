/// Names that resemble a mistyped one, for messages that offer them.
package enum SimilarNames {
  /// Returns at most three names: those with the same beginning or a slip of the fingers, else those
  /// that share a word.
  package static func nearest(to typed: String, among names: [String]) -> [String] {
    let ranked = names.map { (name: $0, distance: EditDistance.between(typed, $0)) }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    func isAlike(_ name: String, _ distance: Int) -> Bool {
      name.hasPrefix(typed) || typed.hasPrefix(name) || distance <= (typed.count < 5 ? 1 : 2)
    }
    let alike = ranked.filter { isAlike($0.name, $0.distance) }
    let related = ranked.filter { !words(of: $0.name).isDisjoint(with: words(of: typed)) }
    return (alike.isEmpty ? related : alike).prefix(3).map(\.name)
  }

  /// Returns the names as part of a sentence: "the nearest is a", "the nearest are a, b"; `none` if
  /// there are none.
  package static func inWords(_ names: [String], none: String) -> String {
    switch names.count {
    case 0: none
    case 1: "the nearest is \(names[0])"
    default: "the nearest are \(names.joined(separator: ", "))"
    }
  }

  /// Words that carry meaning; units such as `ms` are too short to do so.
  private static func words(of name: String) -> Set<Substring> {
    Set(name.split { "-._".contains($0) }.filter { $0.count > 2 })
  }
}

/// The distance between two words, for suggestions after a typing error.
package enum EditDistance {
  /// Counts the letters to insert, delete or replace to turn one word into the other.
  ///
  /// - Source: V. Levenshtein, 1966; keeps one row of the table at a time.
  package static func between(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var row = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in second.enumerated() {
        let replaced = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
