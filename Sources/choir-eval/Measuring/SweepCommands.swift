import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Sweep

/// The subject to use instead of a plan's own.
struct PlanSubject: ParsableArguments {
  @Option(
    help: """
      Subject to use instead of the plan's: an id, an engine or a .yaml file. It must have the \
      plan's settings; Corpus/plans/first-look.yaml sets none.
      """, completion: .subjects)
  var subject: String?
}

extension CorpusOption {
  /// Reads a plan, also an installed one.
  func plan(_ path: String, subject: String? = nil) throws -> Plan {
    let plan = try Plan(
      reading: URL(fileURLWithPath: Installation.file(path)), corpusFolder: folder)
    return subject.map { plan.with(subject: $0) } ?? plan
  }
}

extension Sweep {
  /// Computes the missing cells with a progress bar; a first Ctrl-C lets the cells in flight finish.
  ///
  /// - Parameter preliminary: returns what is known so far.
  func measured(
    jobs: Int, limitSeconds: Double? = nil, preliminary: @escaping () -> String? = { nil }
  ) async throws -> Outcome {
    let (interruption, progress) = (Interruption.shared, SweepProgress(preliminary: preliminary))
    defer { progress.end() }
    return try await interruption.watching {
      try await run(jobs: jobs, limitSeconds: limitSeconds, stop: interruption.stop) {
        progress.show($0)
      }
    }
  }

  /// The same, where half a run is of no use: an interruption ends the command.
  func completed(jobs: Int) async throws -> Outcome {
    let outcome = try await measured(jobs: jobs)
    if outcome.end == .stopped, let code = Interruption.shared.exitCode { throw ExitCode(code) }
    return outcome
  }
}

extension Terminal {
  /// Prints the first ten reasons of failed cells.
  static func printFailures(_ failures: [String]) {
    for failure in failures.prefix(10) { printError(failure) }
    if failures.count > 10 { printError("and \(failures.count - 10) more") }
  }
}
