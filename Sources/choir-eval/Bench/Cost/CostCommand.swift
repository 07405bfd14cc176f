import ArgumentParser
import Evaluation
import Foundation

struct CostCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cost",
    abstract: "Say whether one subject, setting or build costs more than another.",
    subcommands: [Compare.self, Calibrate.self, Power.self, Rounds.self],
    defaultSubcommand: Compare.self)

  /// A subject and its settings.
  struct Work: ParsableArguments {
    @Argument(help: "An id, or the path of a .yaml file.", completion: .subjects) var subject:
      String
    @Option(help: "A setting of the subject, NAME=VALUE; as often as needed.") var set: [String] =
      []
    @Option(help: "Folder that holds manifest.csv and audio.", completion: .directory)
    var corpus = Installation.corpus

    func settings(_ others: [String] = []) throws -> SubjectSettings {
      try Probe.settings(set + others, of: "--set")
    }

    func bench() throws -> ProbeBench {
      try ProbeBench(
        Subjects.subject(id: subject, in: folder.appendingPathComponent("subjects")),
        settings: settings())
    }

    /// In this process; the same subject unless another is given.
    func side(subject other: String? = nil) throws -> SubjectSide {
      try SubjectSide(other ?? subject, in: folder)
    }

    /// In another.
    func side(of program: String) -> ProgramSide {
      ProgramSide(program, running: subject, in: folder)
    }

    private var folder: URL { URL(fileURLWithPath: corpus) }
  }

  /// How a trial is held.
  struct Trial: ParsableArguments {
    @Option(help: "The smallest change that matters.", in: 0.1...100) var minimumPercent = 5.0
    @Option(help: "Rounds at least; more where the machine is noisy.", in: 8...10_000) var rounds:
      Int?
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
