import Corpus
import DSP
import Foundation
import Platform
import Subjects
import Yams

/// A failure with the simplest session that shows it.
public struct RobustnessFinding: Sendable {
  public let problem: RobustnessProblem
  public let session: RobustnessSession
  /// Number of sessions that showed this fault.
  public let count: Int
  public let sessions: Int
}

/// A hunt over the ways in which hosts treat a subject: rates, blocks, levels, silence, subnormal
/// numbers and resets.
///
/// Settings can't be changed while a subject runs: the contract of live subjects has no such call.
public struct RobustnessHunt: Sendable {
  private let bench: RobustnessBench
  private let seed: UInt64

  /// - Throws: the subject's error if it refuses all requests.
  public init(_ subject: any Subject, settings: SubjectSettings, seed: UInt64) throws {
    bench = RobustnessBench(bench: try ProbeBench(subject, settings: settings))
    self.seed = seed
  }

  /// Plays sessions and returns one finding for each kind of fault.
  public func findings(sessions count: Int, jobs: Int) async -> [RobustnessFinding] {
    var random = SeededGenerator(seed: seed)
    let sessions =
      [.plain]
      + (1..<max(2, count)).map { _ in
        RobustnessSession.random(&random, isLive: bench.isLive)
      }
    let problems = await sessions.concurrentMap(jobs: jobs) { [bench] in bench.problems($0) }
    return RobustnessFault.allCases.compactMap { fault in
      let shown = zip(sessions, problems).filter { $1.contains { $0.fault == fault } }
      guard let first = shown.first else { return nil }
      var session = first.0
      while let next = session.simpler.first(where: { problem($0, fault) != nil }) {
        session = next
      }
      guard let problem = problem(session, fault) else { return nil }
      return RobustnessFinding(
        problem: problem, session: session, count: shown.count, sessions: sessions.count)
    }
  }

  /// Returns a fault of a session; `nil` if it lacks it.
  public func problem(_ session: RobustnessSession, _ fault: RobustnessFault) -> RobustnessProblem?
  {
    bench.problems(session).first { $0.fault == fault }
  }
}

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
    do {
      let root = try YAMLFile.node(of: YAMLFile.text(of: url))
      guard let root, root.mapping?["session"] != nil else { return nil }
      do { self = try YAMLDecoder().decode(RobustnessRecipe.self, from: root) } catch let error
        as DecodingError
      { throw YAMLProblem(error, in: root) }
      guard recipe == 1 else {
        throw YAMLProblem(text: "recipe is \(recipe); this program reads recipe 1")
      }
      if let problem = session.problem { throw YAMLProblem(text: "'session' \(problem)") }
    } catch let problem as YAMLProblem {
      throw HuntRecipeError(description: "\(url.path): \(problem.text)")
    } catch { throw HuntRecipeError(description: "\(url.path): \(error)") }
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
