/// Error in the text of a Scala file, with its line, counted from 1.
public enum ScalaError: Error, Equatable, Sendable, CustomStringConvertible {
  case ends(expected: String)
  case noCount(line: Int, String, allowed: ClosedRange<Int>)
  case noPitch(line: Int, String)
  /// A whole number that would be a ratio of more than seven octaves.
  case noRatio(line: Int, String)
  case fallingPeriod(cents: Double)

  public var description: String {
    switch self {
    case .ends(let expected): "the text ends where \(expected) should be"
    case .noCount(let line, let text, let allowed):
      "line \(line): '\(text)' is no count; write \(allowed.lowerBound) to \(allowed.upperBound)"
    case .noPitch(let line, let text):
      "line \(line): '\(text)' is no pitch; write cents with a point such as 701.955, or a ratio "
        + "such as 3/2 or 2"
    case .noRatio(let line, let text):
      "line \(line): '\(text)' has no point, so it is the ratio \(text)/1; write '\(text).' for cents"
    case .fallingPeriod(let cents):
      "the last pitch, at which the scale repeats, is \(cents) cents; it must lie above 0"
    }
  }
}
