import Foundation
import Yams

/// A problem in a YAML file, and the place of the value at fault.
package struct YAMLProblem: Error {
  package var text: String
  /// The path from the root.
  package var place: [Place] = []

  package init(text: String, place: [Place] = []) { (self.text, self.place) = (text, place) }

  /// Describes a syntax error with its line.
  init(_ error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(text: "line \(mark.line): is not YAML: \(problem), at column \(mark.column)")
    case .reader(let problem, _, _, _): self.init(text: "is not YAML: \(problem)")
    case .duplicatedKeysInMapping(let keys, let context):
      let names = keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
      self.init(text: "line \(context.mark.line): has \(names) twice; keep one")
    default: self.init(text: "is not YAML: \(error)")
    }
  }

  /// Describes an error of the decoder.
  ///
  /// - Parameters:
  ///   - root: the decoded node, to quote the value at fault.
  ///   - aliases: for each key as it is decoded, the key as it is written.
  package init(_ error: DecodingError, in root: Node, aliases: [String: String] = [:]) {
    func place(_ context: DecodingError.Context) -> [Place] {
      context.codingPath.map { key in
        key.intValue.map { .index($0) } ?? .name(key.stringValue)
      }
    }
    func path(_ context: DecodingError.Context) -> String {
      Self.written(place(context), aliases)
    }
    switch error {
    case .keyNotFound(let key, let context):
      let within = context.codingPath.isEmpty ? "" : "\(path(context)) "
      self.init(text: "\(within)lacks '\(key.stringValue)'; add it", place: place(context))
    case .dataCorrupted(let context):
      let value = Self.value(at: place(context), in: root, aliases)
      // An enum with a raw value; the decoder does not tell the choices.
      let text =
        context.debugDescription.hasPrefix("Cannot initialize")
        ? "\(path(context)) is \(value ?? "unknown"); write one of the choices in the documentation"
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

  /// Joins the steps of a path, as in "subjects[1].settings".
  static func written(_ place: [Place], _ aliases: [String: String] = [:]) -> String {
    place.reduce("") { path, step in
      if let index = step.intValue { return "\(path)[\(index)]" }
      return path + (path.isEmpty ? "" : ".") + (aliases[step.stringValue] ?? step.stringValue)
    }
  }

  /// The problem behind its place.
  package var located: YAMLProblem {
    YAMLProblem(text: "\(Self.written(place)): \(text)", place: place)
  }

  /// Names the value to write for a type.
  private static func kind(_ type: any Any.Type) -> String {
    switch type {
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is String.Type: "a word or text"
    case is Node.Sequence.Type, is [Any].Type: "a list, such as [a, b]"
    case is Node.Mapping.Type, is [String: Any].Type: "keys with values, such as {name: value}"
    default:
      "\(type)".hasPrefix("Array") || "\(type)".contains("UnkeyedDecod")
        ? "a list, such as [a, b]"
        : "\(type)".hasPrefix("Dictionary") ? "keys with values" : "a single value"
    }
  }

  /// Quotes the value at a place, shortened to 60 characters.
  private static func value(
    at place: [Place], in root: Node, _ aliases: [String: String]
  ) -> String? {
    var here = root
    for step in place {
      guard let next = Self.child(step, of: here, aliases) else { return nil }
      here = next.value
    }
    switch here {
    case .scalar(let scalar):
      let isEmpty = scalar.string.isEmpty || ["null", "~"].contains(scalar.string)
      return isEmpty ? "empty" : "'\(scalar.string.prefix(60))'"
    case .sequence: return "a list"
    case .mapping: return "keys with values"
    case .alias: return "an alias"
    }
  }

  /// Returns the value one step below a node, with the node of its key if it has one.
  private static func child(
    _ step: Place, of node: Node, _ aliases: [String: String]
  ) -> (key: Node?, value: Node)? {
    if let index = step.intValue, let items = node.sequence, items.indices.contains(index) {
      return (nil, items[index])
    }
    let names = [step.stringValue, aliases[step.stringValue] ?? step.stringValue]
    let pair = node.mapping?.first { names.contains($0.key.string ?? "") }
    return pair.map { ($0.key, $0.value) }
  }

  /// Refuses keys that nothing reads.
  ///
  /// - Throws: an error that names the key and lists those allowed.
  package static func refuse(
    keysOf mapping: Node.Mapping, except allowed: [String], _ what: String, _ place: [Place] = []
  ) throws(YAMLProblem) {
    for key in mapping.keys where !allowed.contains(key.string ?? "") {
      throw YAMLProblem(
        text: "\(what) has no '\(key.string ?? "?")'; it has \(allowed.joined(separator: ", "))",
        place: place + [.name(key.string ?? "?")])
    }
  }

  /// Returns the line where its value begins, or the nearest one around it.
  package func line(in root: Node) -> Int? {
    place.reduce(root) { Self.child($1, of: $0, [:])?.value ?? $0 }.mark?.line
  }

  /// Returns the problem with the line of its key, or of the nearest node around it.
  ///
  /// - Parameter aliases: for each key as it is decoded, the key as it is written.
  package func lined(in root: Node.Mapping, aliases: [String: String] = [:]) -> YAMLProblem {
    var (here, line) = (Node.mapping(root), Int?.none)
    for step in place {
      let next = Self.child(step, of: here, aliases)
      here = next?.value ?? here
      line = (next?.key ?? here).mark?.line ?? line
    }
    return YAMLProblem(text: line.map { "line \($0): \(text)" } ?? text)
  }
}

extension DecodingError {
  /// Says what to change in the JSON or YAML that could not be decoded, such as
  /// "line 3: mix is 'loud'; write a number".
  public func text(in text: String) -> String {
    guard let node = try? YAMLFile.node(of: text) else {
      return "is neither JSON nor YAML; correct its syntax"
    }
    let problem = YAMLProblem(self, in: node)
    return node.mapping.map { problem.lined(in: $0).text } ?? problem.text
  }
}

/// A step on the path to a value of a YAML file: a key or an index.
package struct Place: CodingKey {
  package var stringValue: String
  package var intValue: Int?

  package init(stringValue: String) { self.stringValue = stringValue }
  package init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }

  package static func index(_ index: Int) -> Place { Place(intValue: index) }
  package static func name(_ name: String) -> Place { Place(stringValue: name) }
}
