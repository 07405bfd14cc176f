/// The environment variables that a subject's file names, with values or to be passed on.
public struct SubjectEnvironment: Codable, Equatable, Sendable {
  /// The values by name; `nil` passes on the value of choir-eval's own environment.
  var values: [String: String?]

  /// Reads a list of names, or a mapping from names to values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let names = try? container.decode([String].self) {
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else {
      values = try container.decode([String: String].self).mapValues { .some($0) }
    }
    let texts = values.flatMap { [$0.key, $0.value ?? ""] }
    guard values.keys.allSatisfy({ !$0.isEmpty && !$0.contains("=") }),
      !texts.contains(where: { $0.contains("\0") })
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "has a name that no variable can have; correct it")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// The values, which may have places in braces.
  var texts: [String] { values.sorted { $0.key < $1.key }.compactMap(\.value) }

  /// Returns the variables for the program, given the environment `here`.
  func resolved(in here: [String: String]) -> [String: String] {
    var found: [String: String] = [:]
    for (name, value) in values { found[name] = value ?? here[name] }
    return found
  }
}
