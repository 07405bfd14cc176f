/// One of several equal parts of a run, for one of several machines: `2/8` is the second of eight.
///
/// Parts are contiguous in the plan, so each machine needs few of the recordings.
public struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// Number of the part, from 1.
  public let number: Int
  public let count: Int

  /// The largest count: more than any plan has cells.
  public static let maxParts = 1_000_000

  /// - Parameter text: text such as `2/8`; the result is `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      1...Self.maxParts ~= count, 1...count ~= number
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  public var description: String { "\(number)/\(count)" }

  func part<Element>(of all: [Element]) -> ArraySlice<Element> {
    all[(all.count * (number - 1) / count)..<(all.count * number / count)]
  }
}
