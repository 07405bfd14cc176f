import Foundation
import Yams

extension YAMLFile {
  /// Decodes the keys of a file. An error names the line of the value at fault.
  ///
  /// - Parameters:
  ///   - aliases: for each key as it is decoded, the key as it is written.
  ///   - expand: refuses keys that nothing reads, and fills in what the file may omit or abbreviate.
  ///   - check: refuses values that do not fit.
  package static func decoded<Value: Decodable>(
    _ written: Node.Mapping, aliases: [String: String] = [:],
    expanding expand: (inout Node.Mapping) throws -> Void, checking check: (Value) throws -> Void
  ) throws -> Value {
    do {
      var root = written
      try expand(&root)
      let value = try YAMLDecoder().decode(Value.self, from: Node.mapping(root))
      try check(value)
      return value
    } catch let problem as YAMLProblem {
      throw problem.lined(in: written, aliases: aliases)
    } catch let error as DecodingError {
      throw YAMLProblem(error, in: .mapping(written), aliases: aliases)
        .lined(in: written, aliases: aliases)
    }
  }
}

extension Node.Mapping {
  /// Adds the keys that are missing or empty.
  package mutating func fill(_ defaults: KeyValuePairs<Node, Node>) {
    for (key, value) in defaults where self[key].map({ $0.null != nil }) ?? true {
      self[key] = value
    }
  }
}

/// One of several names; an error lists them.
public protocol NamedChoice: RawRepresentable<String>, CaseIterable, Codable {}

extension NamedChoice {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let choice = Self(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(name)' is none of "
          + Self.allCases.map(\.rawValue).joined(separator: ", "))
    }
    self = choice
  }
}
