/// A commit of a git repository.
public struct Commit: Codable, Hashable, Sendable {
  /// The full hash.
  public var id: String
  /// The committer's date in UTC, such as `2026-01-31T12:00:00Z`.
  public var date: String
  /// First line of the message.
  public var title: String

  public init(id: String, date: String, title: String) {
    (self.id, self.date, self.title) = (id, date, title)
  }

  /// The first twelve digits of the hash.
  public var short: String { String(id.prefix(12)) }

  /// Text such as `0123456789ab (2026-01-31, Longer window)`.
  public var words: String { "\(short) (\(date.prefix(10)), \(title))" }
}
