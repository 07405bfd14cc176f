import Corpus
import Foundation
import Platform
import Yams

/// A short text that reproduces a session and its fault.
public struct RobustnessRecipe: Codable, Equatable, Sendable {
  public var recipe = 1
  public var subject: String
  public var settings: SubjectSettings
  public var fault: RobustnessFault
  public var session: RobustnessSession
  public var found: String

  public init(_ finding: RobustnessFinding, subject: String, settings: SubjectSettings) {
    (self.subject, self.settings) = (subject, settings)
    (fault, session) = (finding.problem.fault, finding.session)
    found = finding.problem.words
  }

  /// Reads a recipe of a session; returns `nil` for one of a sound.
  ///
  /// - Throws: `HuntRecipeError`.
  public init?(reading url: URL) throws(HuntRecipeError) {
    let read: RobustnessRecipe? = try HuntRecipeError.naming(url) { text in
      guard let root = try YAMLFile.node(of: text)?.mapping, root["session"] != nil else {
        return nil
      }
      let keys = ["recipe", "subject", "settings", "fault", "session", "found"]
      return try HuntRecipeError.decoded(root, keys: keys, format: \.recipe) {
        if let problem = $0.session.problem { throw YAMLProblem(text: "'session' \(problem)") }
      }
    }
    guard let read else { return nil }
    self = read
  }

  /// The text of the file.
  public func text(command: String) throws -> String {
    let json = JSONEncoder.canonical  // JSON is YAML.
    let parts = try [
      "# The subject \(fault.rawValue): \(session.words).", HuntRecipe.comment(command),
      "recipe: \(recipe)", "subject: \(json.text(subject))",
      "settings: \(json.text(settings))", "fault: \(fault.rawValue)",
      "session: \(json.text(session))", "found: \(json.text(found))",
    ]
    return parts.joined(separator: "\n") + "\n"
  }
}
