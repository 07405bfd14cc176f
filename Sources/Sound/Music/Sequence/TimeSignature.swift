/// A time signature, such as `3/4` or `6/8`.
public struct TimeSignature: NamedValue, Hashable, Sendable {
  /// Counts in a bar, 1 to 64.
  public let count: Int
  /// The note that is counted: 4 is a quarter note, 8 an eighth; a power of two from 1 to 32.
  public let unit: Int

  public static let common = try! TimeSignature(4, 4)

  public init(_ count: Int, _ unit: Int) throws(SequenceError) {
    guard (1...64).contains(count), (1...32).contains(unit), unit.nonzeroBitCount == 1 else {
      throw .timeSignature("\(count)/\(unit)")
    }
    (self.count, self.unit) = (count, unit)
  }

  public init(named text: String) throws(SequenceError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let count = parts[0], let unit = parts[1],
      let known = try? TimeSignature(count, unit), known.description == text
    else { throw .timeSignature(text) }
    self = known
  }

  /// Length of a count, in quarter notes.
  public var countBeats: Double { 4 / Double(unit) }

  /// Length of a bar, in quarter notes.
  public var barBeats: Double { Double(count) * countBeats }

  public var description: String { "\(count)/\(unit)" }
}
