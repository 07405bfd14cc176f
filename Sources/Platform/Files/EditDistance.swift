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
