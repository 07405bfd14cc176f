/// The lines of a Scala file, without its comments, which begin with `!`.
struct ScalaLines {
  private var rest: [(line: Int, text: String)]

  init(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    rest = lines.enumerated()
      .map { (line: $0.offset + 1, text: $0.element.trimming()) }
      .filter { !$0.text.hasPrefix("!") }
      .reversed()
  }

  mutating func next(expecting what: String) throws(ScalaError) -> (line: Int, text: String) {
    guard let line = rest.popLast() else { throw .ends(expected: what) }
    return line
  }

  /// The first word of the next line as a whole number.
  mutating func nextCount(
    _ what: String, in allowed: ClosedRange<Int>
  ) throws(ScalaError) -> Int {
    let (line, text) = try next(expecting: what)
    guard let count = Int(text.firstWord), allowed.contains(count) else {
      throw .noCount(line: line, text, allowed: allowed)
    }
    return count
  }
}

extension String {
  /// The text up to the first blank.
  var firstWord: String { String(prefix { !$0.isWhitespace }) }
}

extension Substring {
  fileprivate func trimming() -> String {
    let head = drop(while: \.isWhitespace)
    return String(head.reversed().drop(while: \.isWhitespace).reversed())
  }
}
