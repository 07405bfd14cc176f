/// A value that is stored as the text of a Scala file, in settings too: reading it back checks it.
protocol ScalaText: Codable {
  init(parsing text: String) throws(ScalaError)
  /// The file's text.
  var text: String { get }
}

extension ScalaText {
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
