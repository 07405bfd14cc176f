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
extension ScalaScale: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(parsing: text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
