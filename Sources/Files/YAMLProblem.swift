import Foundation
import Yams

/// Something that a YAML file of a person can't say, with the place of the value that is meant.
package struct YAMLProblem: Error {
  package var text: String
  /// From the root.
  package var place: [Place] = []

  package init(text: String, place: [Place] = []) { (self.text, self.place) = (text, place) }

  /// A slip of the syntax, with its line.
  init(_ error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(text: "line \(mark.line): is not YAML: \(problem), at column \(mark.column)")
    case .reader(let problem, _, _, _): self.init(text: "is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
      self.init(text: "line \(context.mark.line): is not YAML: \(names) is there twice; keep one")
    default: self.init(text: "is not YAML: \(error)")
    }
  }

  /// What the decoder found, in words.
  ///
  /// - Parameters:
  ///   - root: what was decoded, for the value that is meant.
  ///   - aliases: under which a person wrote what is read by another name.
  package init(_ error: DecodingError, in root: Node, aliases: [String: String] = [:]) {
    func place(_ context: DecodingError.Context) -> [Place] {
      context.codingPath.map { key in
        key.intValue.map { .index($0) } ?? .name(key.stringValue)
      }
    }
    func path(_ context: DecodingError.Context) -> String {
      Self.written(
        place(context).map {
          $0.intValue.map { "[\($0)]" } ?? aliases[$0.stringValue] ?? $0.stringValue
        })
    }
    switch error {
    case .keyNotFound(let key, let context):
      let within = context.codingPath.isEmpty ? "" : "\(path(context)) "
      self.init(text: "\(within)lacks '\(key.stringValue)'", place: place(context))
    case .dataCorrupted(let context):
      let value = Self.value(at: place(context), in: root, aliases)
      // Choices of one of a few names; which there are stands in the documentation.
      let text =
        context.debugDescription.hasPrefix("Cannot initialize")
        ? "\(path(context)) is \(value ?? "no such thing"), which is none of its choices"
        : (context.codingPath.isEmpty ? "" : "\(path(context)): ") + context.debugDescription
      self.init(text: text, place: place(context))
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let value = Self.value(at: place(context), in: root, aliases) ?? "of another kind"
      let name = path(context)
      self.init(
        text: "\(name.isEmpty ? "it" : name) is \(value); write \(Self.kind(type))",
        place: place(context))
    @unknown default: self.init(text: "\(error)")
    }
  }

  /// "subjects[1].settings" of its steps.
  static func written(_ steps: [String]) -> String {
    steps.reduce("") { path, step in
      path + (step.hasPrefix("[") || path.isEmpty ? "" : ".") + step
    }
  }

  /// What a person should write where a type is wanted.
  private static func kind(_ type: any Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is String.Type: "a word or text"
    case is Node.Sequence.Type, is [Any].Type: "a list, such as [a, b]"
    case is Node.Mapping.Type, is [String: Any].Type: "names with values, such as {name: value}"
    default:
      "\(type)".hasPrefix("Array") || "\(type)".contains("UnkeyedDecod")
        ? "a list, such as [a, b]"
        : "\(type)".hasPrefix("Dictionary") ? "names with values" : "a single value"
    }
  }

  /// What a person wrote at a place, short enough to be quoted.
  private static func value(
    at place: [Place], in root: Node, _ aliases: [String: String]
  ) -> String? {
    var here = root
    for step in place {
      let names = [step.stringValue, aliases[step.stringValue] ?? step.stringValue]
      if let index = step.intValue, let items = here.sequence, items.indices.contains(index) {
        here = items[index]
      } else if let pair = here.mapping?.first(where: { names.contains($0.key.string ?? "") }) {
        here = pair.value
      } else {
        return nil
      }
    }
    switch here {
    case .scalar(let scalar):
      let isEmpty = scalar.string.isEmpty || ["null", "~"].contains(scalar.string)
      return isEmpty ? "empty" : "'\(scalar.string.prefix(60))'"
    case .sequence: return "a list"
    case .mapping: return "names with values"
    case .alias: return "an alias"
    }
  }

  /// - Throws: where `mapping` has a key that nobody reads.
  package static func refuse(
    keysOf mapping: Node.Mapping, except allowed: [String], _ what: String, _ place: [Place] = []
  ) throws(YAMLProblem) {
    for key in mapping.keys where !allowed.contains(key.string ?? "") {
      throw YAMLProblem(
        text: "\(what) has no '\(key.string ?? "?")'; it has \(allowed.joined(separator: ", "))",
        place: place + [.name(key.string ?? "?")])
    }
  }

  /// Says in which line the value is, or the nearest around it.
  ///
  /// - Parameter aliases: under which a person wrote what is read by another name.
  package func lined(in root: Node.Mapping, aliases: [String: String] = [:]) -> YAMLProblem {
    var (here, line) = (Node.mapping(root), Int?.none)
    for step in place {
      let names = [step.stringValue, aliases[step.stringValue] ?? step.stringValue]
      if let index = step.intValue, let items = here.sequence, items.indices.contains(index) {
        here = items[index]
      } else if let pair = here.mapping?.first(where: { names.contains($0.key.string ?? "") }) {
        here = pair.value
        line = pair.key.mark?.line ?? line
        continue
      }
      line = here.mark?.line ?? line
    }
    return YAMLProblem(text: line.map { "line \($0): \(text)" } ?? text)
  }
}

extension DecodingError {
  /// What a person should change in a text, JSON or YAML, that could not be decoded.
  ///
  /// - Returns: "line 3: mix is 'loud'; write a number".
  public func words(in text: String) -> String {
    guard let node = try? YAMLFile.node(of: text) else { return "is neither JSON nor YAML" }
    let problem = YAMLProblem(self, in: node)
    return node.mapping.map { problem.lined(in: $0).text } ?? problem.text
  }
}
