import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Metrics
import Subjects

struct CostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cost",
    abstract: "Compare the cost of two subjects, settings or builds.",
    discussion: """
      Use it to find out whether a change made a harmonizer slower. 'compare' is the default \
      subcommand.

        choir-eval cost reference --set engine=psola \\
          --baseline-set engine=delayline
      """,
    subcommands: [Compare.self, Calibrate.self, Power.self, Rounds.self],
    defaultSubcommand: Compare.self)

  /// A subject and its settings.
  struct Work: ParsableArguments {
    @Argument(help: .subject, completion: .subjects) var subject: String
    @Option(help: "Setting of the subject, NAME=VALUE; repeatable.") var set: [String] = []
    @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
    var corpus = Installation.corpus

    func settings(_ others: [String] = []) throws -> SubjectSettings {
      try NamedValues.settings(set + others, of: "--set")
    }

    func bench() throws -> ProbeBench {
      try ProbeBench(
        Subjects.subject(id: subject, in: folder.appendingPathComponent("subjects")),
        settings: settings())
    }

    /// A side of the comparison that runs in this process; the same subject unless another is given.
    func side(subject other: String? = nil) throws -> SubjectSide {
      try SubjectSide(other ?? subject, in: folder)
    }

    /// A side of the comparison that runs in another program.
    func side(of program: String) -> ProgramSide {
      ProgramSide(program, running: subject, in: folder)
    }

    private var folder: URL { URL(fileURLWithPath: corpus) }
  }

  /// The settings of a trial.
  struct Trial: ParsableArguments {
    @Option(help: "Minimum effect: the smallest change that matters.", in: 0.1...100)
    var minimumPercent = 5.0
    @Option(help: "Minimum number of rounds; a noisy machine needs more.", in: 8...10_000)
    var rounds: Int?
    @Option(help: "Seed of the schedule.", in: Bounds.seed) var seed: UInt64 = 1

    func settings() -> CostTrial.Settings {
      var settings = CostTrial.Settings()
      settings.minimumEffect = minimumPercent / 100
      settings.fewestRounds = rounds ?? settings.fewestRounds
      settings.mostRounds = max(settings.mostRounds, settings.fewestRounds)
      settings.seed = seed
      return settings
    }

    func validate() throws {
      do { try settings().validate() } catch { throw Misuse.of(error) }
    }
  }
}
