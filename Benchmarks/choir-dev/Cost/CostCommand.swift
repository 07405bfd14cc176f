import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Metrics
import Subjects

struct CostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cost",
    abstract: "Try comparisons of costs.", subcommands: [Power.self])

  /// A subject and its settings.
  struct Work: ParsableArguments {
    @Argument(help: .subject, completion: .subjects) var subject: String
    @Option(help: "Setting of the subject, NAME=VALUE; repeatable.") var set: [String] = []
    @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
    var corpus = Installation.corpus

    func bench() throws -> ProbeBench {
      let subjects = URL(fileURLWithPath: corpus).appendingPathComponent("subjects")
      return try ProbeBench(
        Subjects.subject(id: subject, in: subjects),
        settings: NamedValues.settings(set, of: "--set"))
    }
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
      settings.minRounds = rounds ?? settings.minRounds
      settings.maxRounds = max(settings.maxRounds, settings.minRounds)
      settings.seed = seed
      return settings
    }

    func validate() throws {
      do { try settings().validate() } catch { throw Misuse.of(error) }
    }
  }
}
