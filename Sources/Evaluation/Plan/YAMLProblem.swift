import Foundation
import Yams

/// Something that a YAML file of a person can't say, with the place of the value that is meant.
struct YAMLProblem: Error {
  var text: String
  /// From the root.
  var place: [Place] = []

  init(text: String, place: [Place] = []) { (self.text, self.place) = (text, place) }

  /// What the decoder found, in words.
  init(_ error: DecodingError) {
    func place(_ context: DecodingError.Context) -> [Place] {
      context.codingPath.map { key in
        key.intValue.map { .index($0) } ?? .name(key.stringValue)
      }
    }
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.reduce("") { path, key in
        path + (key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue)
      }
    }
    switch error {
    case .keyNotFound(let key, let context):
      let within = context.codingPath.isEmpty ? "" : "'\(path(context))' "
      self.init(text: "\(within)lacks '\(key.stringValue)'", place: place(context))
    case .dataCorrupted(let context):
      self.init(text: "'\(path(context))': \(context.debugDescription)", place: place(context))
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      self.init(
        text: "'\(path(context))' is not of the right kind: \(context.debugDescription)",
        place: place(context))
    @unknown default: self.init(text: "\(error)")
    }
  }

  /// - Throws: where `mapping` has a key that nobody reads.
  static func refuse(
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
  func lined(in root: Node.Mapping, aliases: [String: String] = [:]) -> YAMLProblem {
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
