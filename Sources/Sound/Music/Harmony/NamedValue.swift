/// A value that has a name; YAML and JSON hold the name.
public protocol NamedValue: Codable, CustomStringConvertible {
  associatedtype NameError: Error & CustomStringConvertible

  init(named text: String) throws(NameError)
}

extension NamedValue {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(named: text) } catch { throw container.problem(error) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension SingleValueDecodingContainer {
  /// Returns the error of the value at this place.
  func problem(_ error: some Error & CustomStringConvertible) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: error.description)
  }
}

/// The text of a chord, key or scale as it was written.
///
/// All are equal: a value that holds one is compared and hashed by its meaning, so that `Cm` equals
/// `C:min`.
struct WrittenName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (_: WrittenName, _: WrittenName) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
