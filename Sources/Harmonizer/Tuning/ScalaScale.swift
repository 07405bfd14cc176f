import DSP
import Foundation

/// A scale as Scala's `.scl` files have it: pitches above an unwritten 1/1, the last of which is
/// the one at which it all repeats.
///
/// - Source: huygens-fokker.org/scala/scl_format.html.
public struct ScalaScale: ScalaText, Equatable, Sendable {
  /// The first line that is no comment; may be empty.
  public let name: String
  /// Pitches above 1/1, in the order of the file, which need not rise; the last is the period.
  public let pitchesCents: [Double]

  /// - Parameter pitchesCents: above 1/1; the last is the period, above 0.
  public init(name: String, pitchesCents: [Double]) throws(ScalaError) {
    // A file may hold no pitch at all: then there is 1/1, and nothing repeats it but an octave.
    let period = pitchesCents.last ?? 1200
    guard period > 0, period.isFinite else { throw .fallingPeriod(cents: period) }
    (self.name, self.pitchesCents) = (name, pitchesCents.isEmpty ? [1200] : pitchesCents)
  }

  /// Parses the text of a `.scl` file.
  public init(parsing text: String) throws(ScalaError) {
    var lines = ScalaLines(text)
    let name = try lines.next(expecting: "the scale's name").text
    let count = try lines.nextCount("the number of pitches", in: 0...4096)
    var pitches: [Double] = []
    for place in 0..<count {
      let (line, text) = try lines.next(expecting: "pitch \(place + 1) of \(count)")
      guard let cents = Self.cents(of: text) else { throw .noPitch(line: line, text) }
      pitches.append(cents)
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

  /// Returns the pitch in a line: cents if there is a point in its first word, a ratio otherwise.
  /// Text after that word is ignored.
  private static func cents(of text: String) -> Double? {
    guard let word = text.split(whereSeparator: \.isWhitespace).first else { return nil }
    if word.contains(".") {
      guard let cents = Double(word), abs(cents) <= 100_000 else { return nil }
      return cents
    }
    let parts = word.split(separator: "/", omittingEmptySubsequences: false)
      .map { Double(Int($0) ?? 0) }
    guard (1...2).contains(parts.count), parts.allSatisfy({ $0 > 0 }) else { return nil }
    return 1200 * log2(parts[0] / (parts.count == 2 ? parts[1] : 1))
  }
}
