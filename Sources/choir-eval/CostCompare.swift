import ArgumentParser
import Evaluation

extension CostCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "A candidate beside a baseline, by turns in one schedule.",
      discussion: """
        The candidate is SUBJECT with --set. The baseline is the same with other settings
        (--baseline-set), the same in another build (--baseline-program), or what was kept of an earlier
        measurement (--baseline-file, of choir-eval cost calibrate).

          choir-eval cost reference --set engine=psola --baseline-set engine=delayline
          choir-eval cost reference --baseline-program ~/released/choir-eval
          choir-eval cost reference --baseline-file cost.json
          choir-eval cost reference --baseline-program ~/released/choir-eval --instructions

        Exit codes: 0 no regression; 1 regression, confirmed by a second trial; 2 could not measure;
        3 inconclusive, with --strict; 64 misuse.
        """)

    @OptionGroup var work: Work
    @Option(help: "A setting of the baseline, NAME=VALUE, over those of --set; as often as needed.")
    var baselineSet: [String] = []
    @Option(help: "Another choir-eval executable, whose subject is the baseline.")
    var baselineProgram: String?
    @Option(help: "What choir-eval cost calibrate wrote.") var baselineFile: String?
    @Flag(help: "Count instructions under valgrind instead of time.") var instructions = false
    @OptionGroup var trial: Trial
    @Flag(help: "Exit with 3 where it can't be told.") var strict = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
      let kinds = [!baselineSet.isEmpty, baselineProgram != nil, baselineFile != nil]
      guard kinds.count(where: { $0 }) == 1 else {
        throw ValidationError(
          "Give one baseline: --baseline-set, --baseline-program or --baseline-file.")
      }
      if instructions, baselineFile != nil {
        throw ValidationError("Instructions are not kept in files; give another baseline.")
      }
    }

    func run() throws {
      let comparison = try instructions ? counted() : timed()
      let settings = trial.settings()
      print(
        try json
          ? JSON.text(ComparedCost(subject: work.subject, settings: settings, found: comparison))
          : CostText.text(comparison, settings))
      switch comparison.verdict {
      case .regression: throw ExitCode(1)
      case .inconclusive where strict: throw ExitCode(3)
      case .improvement, .withinNoise, .inconclusive: return
      }
    }

    private func timed() throws -> CostComparison {
      let costs = try CostTrial(trial.settings())
      if let baselineFile {
        return try costs.compare(
          baseline: KeptCost(reading: baselineFile).cost, candidate: work.bench().costRounds())
      }
      if let baselineProgram {
        // Both in processes of their own, so that nothing but the build differs.
        return try costs.compare(
          baseline: ProgramRounds(running: [baselineProgram] + work.rounds),
          candidate: ProgramRounds(running: [SelfProcess.path] + work.rounds))
      }
      return try costs.compare(
        baseline: work.bench(baselineSet).costRounds(), candidate: work.bench().costRounds())
    }

    private func counted() throws -> CostComparison {
      _ = try work.bench()  // what is wrong with the settings is said in words
      let baseline = try InstructionCount(of: baselineProgram, running: work.sound(baselineSet))
      return try InstructionCount(running: work.sound())
        .comparison(to: baseline, minimumEffect: trial.settings().minimumEffect)
    }
  }
}

/// A comparison as `--json` prints it.
private struct ComparedCost: Encodable {
  var schema = "choir-eval.cost/1"
  var subject: String
  var settings: CostTrial.Settings
  var found: CostComparison
}
