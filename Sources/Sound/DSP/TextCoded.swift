/// A value that YAML and JSON hold as a text.
public protocol TextCoded: Codable {
  /// Reads the text; the error says what is wrong with it.
  init(codedText: String) throws

  var codedText: String { get }
}

extension TextCoded where Self: CustomStringConvertible {
  public var codedText: String { description }
}

extension TextCoded {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do { try self.init(codedText: text) } catch { throw container.problem(error) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(codedText)
  }
}

extension SingleValueDecodingContainer {
  /// Returns the error of the value at this place.
  package func problem(_ error: some Error) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: "\(error)")
  }
}
