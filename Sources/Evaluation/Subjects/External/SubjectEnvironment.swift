import Yams

/// The environment variables that a subject's file names, with values or to be passed on.
public struct SubjectEnvironment: Codable, Equatable, Sendable {
  /// The values by name; `nil` passes on the value of choir-eval's own environment.
  var values: [String: String?]

  /// Reads a list of names, or a mapping from names to values; returns `nil` for anything else.
  init?(_ node: Node) {
    func isName(_ text: String) -> Bool {
      !text.isEmpty && !text.contains("=") && !text.contains("\0")
    }
    if let list = node.sequence {
      let names = list.compactMap(\.string)
      guard names.count == list.count, names.allSatisfy(isName) else { return nil }
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else if let mapping = node.mapping {
      values = [:]
      for (name, value) in mapping {
        guard let name = name.string, isName(name), let text = value.string,
          !text.contains("\0")
        else { return nil }
        values[name] = .some(text)
      }
    } else {
      return nil
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let names = try? container.decode([String].self) {
      values = Dictionary(names.map { ($0, nil) }) { first, _ in first }
    } else {
      values = try container.decode([String: String].self).mapValues { .some($0) }
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
