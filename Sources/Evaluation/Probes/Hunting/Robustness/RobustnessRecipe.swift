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
      let root = try YAMLFile.node(of: text)
      guard let root, root.mapping?["session"] != nil else { return nil }
      let read: RobustnessRecipe
      do { read = try YAMLDecoder().decode(RobustnessRecipe.self, from: root) } catch let error
        as DecodingError
      { throw YAMLProblem(error, in: root) }
      guard read.recipe == 1 else {
        throw YAMLProblem(text: "recipe is \(read.recipe); this program reads recipe 1")
      }
      if let problem = read.session.problem { throw YAMLProblem(text: "'session' \(problem)") }
      return read
    }
    guard let read else { return nil }
    self = read
  }

  /// The text of the file.
  public func text(command: String) throws -> String {
    let parts = [
      "# The subject \(fault.rawValue): \(session.words).", HuntRecipe.comment(command),
      "recipe: \(recipe)", "subject: \(try Self.line(subject))",
      "settings: \(try Self.line(settings))", "fault: \(fault.rawValue)",
      "session: \(try Self.line(session))", "found: \(try Self.line(found))",
    ]
    return parts.joined(separator: "\n") + "\n"
  }

  /// JSON is YAML.
  private static func line(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder.canonical.encode(value), as: UTF8.self)
  }
}
