import DSP
import Foundation

/// A scale as Scala's `.scl` files have it: pitches above an unwritten 1/1, the last of which is
/// the one at which it all repeats.
///
/// - Source: huygens-fokker.org/scala/scl_format.html.
public struct ScalaScale: Equatable, Sendable {
  /// The first line that is no comment; may be empty.
  public let name: String
  /// Pitches above 1/1, in the order of the file, which need not rise; the last is the period.
  public let pitchesCents: [Double]

  /// - Parameter pitchesCents: above 1/1; the last is the period, above 0.
  public init(name: String, pitchesCents: [Double]) throws(ScalaError) {
    let period = pitchesCents.last ?? 0
    guard period > 0, period.isFinite else { throw .fallingPeriod(cents: period) }
    (self.name, self.pitchesCents) = (name, pitchesCents)
  }

  /// Parses the text of a `.scl` file. The format allows a scale without pitches, which has one tone
  /// and nothing that repeats it; it is refused.
  public init(parsing text: String) throws(ScalaError) {
    var lines = ScalaLines(text)
    let name = try lines.next(expecting: "the scale's name").text
    let count = try lines.nextCount("the number of pitches", in: 1...4096)
    var pitches: [Double] = []
    for place in 0..<count {
      let (line, text) = try lines.next(expecting: "pitch \(place + 1) of \(count)")
      pitches.append(try Self.cents(of: text, line: line))
    }
    try self.init(name: name, pitchesCents: pitches)
  }

  /// Makes a scale of equal steps to the octave.
  public static func equal(divisions: Int) -> ScalaScale {
    precondition(divisions > 0, "an octave has at least one step")
    let pitches = (1...divisions).map { 1200 * Double($0) / Double(divisions) }
    return try! ScalaScale(name: "\(divisions) equal", pitchesCents: pitches)  // the period is 1200
  }

  public var periodCents: Double { pitchesCents[pitchesCents.count - 1] }

  /// Returns the pitch of any degree above 1/1: 0 is 1/1, the number of pitches is the period.
  public func cents(ofDegree degree: Int) -> Double {
    let count = pitchesCents.count
    let periods = floorOf(Double(degree) / Double(count))
    let place = degree - periods * count
    return Double(periods) * periodCents + (place == 0 ? 0 : pitchesCents[place - 1])
  }

  /// The text of a `.scl` file.
  public var text: String {
    let head = "\(name)\n \(pitchesCents.count)\n!\n"
    return head + pitchesCents.map { " \($0)\n" }.joined()
  }

  /// Returns the pitch at the start of a line: cents if its number has a point, a ratio otherwise.
  /// Blanks around the slash are ignored, and so is any text after the pitch.
  private static func cents(of text: String, line: Int) throws(ScalaError) -> Double {
    if text.firstWord.contains(".") {
      guard let cents = Double(text.firstWord), abs(cents) <= 100_000 else {
        throw .noPitch(line: line, text)
      }
      return cents
    }
    guard let parts = text.prefixMatch(of: #/(\d+)(?:\s*\/\s*(\d+))?(?=\s|!|$)/#),
      let upper = Double(parts.1), let lower = Double(parts.2 ?? "1"), upper > 0, lower > 0
    else { throw .noPitch(line: line, text) }
    guard parts.2 != nil || upper <= maxWholeRatio else {
      throw .noRatio(line: line, String(parts.1))
    }
    return 1200 * log2(upper / lower)
  }

  /// The highest ratio without a slash: seven octaves. Files with more mean cents.
  private static let maxWholeRatio = 128.0
}

/// A scale is stored as the text of its file.
extension ScalaScale: TextCoded {
  public init(codedText: String) throws { try self.init(parsing: codedText) }

  public var codedText: String { text }
}

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
  mutating func nextCount(_ what: String, in allowed: ClosedRange<Int>) throws(ScalaError) -> Int {
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
