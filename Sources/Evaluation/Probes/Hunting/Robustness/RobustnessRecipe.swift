import Corpus
import Foundation
import Platform

/// A short text that reproduces a session and its fault.
public struct RobustnessRecipe: Equatable, Sendable {
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
}

extension RobustnessRecipe: Recipe {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case recipe, subject, settings, fault, session, found
  }

  package static let keys = CodingKeys.allCases.map(\.rawValue)

  package var sentence: String { "The subject \(fault.rawValue): \(session.words)." }

  package var problem: String? { session.problem.map { "'session' \($0)" } }

  /// True if a file holds a recipe of a session, not of a sound.
  package static func describes(_ url: URL) -> Bool {
    (try? YAMLFile.node(of: YAMLFile.text(of: url)))?.mapping?["session"] != nil
  }
}
