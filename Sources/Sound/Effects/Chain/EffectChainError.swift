/// A mistake in the text of a chain, and its place.
public struct EffectChainError: Error, Equatable, CustomStringConvertible {
  /// The whole text.
  public let text: String
  /// The characters to correct.
  public let place: Range<Int>
  /// The problem, and what is allowed there.
  public let problem: String

  /// The problem, the text, and carets under the place.
  public var description: String {
    let line = String(text.map { $0.isWhitespace ? " " : $0 })
    let carets = String(repeating: "^", count: max(1, place.count))
    return "\(problem)\n  \(line)\n  \(String(repeating: " ", count: place.lowerBound))\(carets)"
  }
}

/// Suggestions for misspelled names.
enum NearestName {
  /// The only one of `names` that starts with it, as a name without its unit; else the one with the
  /// smallest edit distance, if that is small.
  static func to(_ name: String, among names: [String]) -> String? {
    let wanted = name.lowercased()
    let longer = names.filter { $0.lowercased().hasPrefix(wanted) }
    if wanted.count >= 3, longer.count == 1 { return longer[0] }
    let ranked = names.map { (name: $0, changes: changes(wanted, $0.lowercased())) }
    guard let best = ranked.min(by: { $0.changes < $1.changes }) else { return nil }
    return best.changes <= max(1, min(wanted.count, best.name.count) / 3) ? best.name : nil
  }

  /// The number of letters to insert, delete or replace.
  ///
  /// - Source: Wagner and Fischer, "The string-to-string correction problem", 1974.
  private static func changes(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for i in a.indices {
      var corner = row[0]
      row[0] = i + 1
      for j in b.indices {
        let kept = corner + (a[i] == b[j] ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(kept, corner + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
