import Foundation
import Platform

/// A text that reproduces a finding of a hunt: a sound of the singer, or a session of a host.
package protocol Recipe: Codable {
  /// Keys of the file.
  static var keys: [String] { get }
  /// Format of the file.
  var recipe: Int { get }
  /// The finding in a sentence.
  var sentence: String { get }
  /// The first value out of range, with the range; `nil` if there is none.
  var problem: String? { get }
}

extension Recipe {
  /// Reads a recipe file.
  ///
  /// - Throws: a `Refusal` with the file, the key and the remedy.
  package init(reading url: URL) throws(Refusal) {
    do {
      let mapping = try YAMLFile.mapping(
        of: YAMLFile.text(of: url),
        content: "a recipe has 'subject', 'fault' and 'sound'; choir-eval hunt writes it")
      self = try YAMLFile.decoded(mapping) {
        try YAMLProblem.refuse(keysOf: $0, except: Self.keys, "a recipe")
      } checking: { (read: Self) in
        guard read.recipe == 1 else {
          throw YAMLProblem(
            text: "is of format \(read.recipe), which this version does not read; update choir-eval"
          )
        }
        if let problem = read.problem { throw YAMLProblem(text: problem) }
      }
    } catch {
      let problem = (error as? YAMLProblem)?.text ?? "\(error)"
      throw Refusal("\(url.path): \(problem)")
    }
  }

  /// The file: JSON, which is YAML, below comments.
  ///
  /// - Parameter command: replays the recipe.
  package func text(command: String) throws -> String {
    try Self.comment(sentence) + Self.comment(command) + JSONEncoder.readable.text(self) + "\n"
  }

  /// A text as a comment of a file, in one line also where a path has several.
  static func comment(_ text: String) -> String {
    "# " + text.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }
}
