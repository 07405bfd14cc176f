import Corpus
import DSP
import Platform
import Subjects

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
