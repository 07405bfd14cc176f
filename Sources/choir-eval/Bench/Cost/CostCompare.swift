import ArgumentParser
import Evaluation

extension CostCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "A candidate beside a baseline, by turns in one schedule.",
      discussion: """
        The candidate is SUBJECT with --set. The baseline is the same with other settings
        (--baseline-set), another subject with the same settings (--baseline-subject), the same in another
        build (--baseline-program), or what was kept of an earlier measurement (--baseline-file, of
        choir-eval cost calibrate, or the baseline of a gate).

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
    @Option(
      help: "Another choir-eval executable, whose subject is the baseline.", completion: .file())
    var baselineProgram: String?
    @Option(help: "Another subject, an id or a .yaml file.", completion: .subjects)
    var baselineSubject: String?
    @Option(
      help: "What choir-eval cost calibrate or accept wrote.",
      completion: .file(extensions: ["json", "tsv"])) var baselineFile: String?
    @Flag(help: "Count instructions under valgrind instead of time.") var instructions = false
    @OptionGroup var trial: Trial
    @Flag(help: "Exit with 3 where it can't be told.") var strict = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
      let kinds = [
        !baselineSet.isEmpty, baselineSubject != nil, baselineProgram != nil, baselineFile != nil,
      ]
      guard kinds.count(where: { $0 }) == 1 else {
        throw ValidationError(
          "Give one baseline: --baseline-set, --baseline-subject, --baseline-program or "
            + "--baseline-file.")
      }
    }

    func run() throws {
      let comparison = try instructions ? counted() : timed()
      let settings = trial.settings()
      print(
        try json
          ? JSON.text(ComparedCost(subject: work.subject, settings: settings, found: comparison))
          : CostText.text(comparison))
      switch comparison.verdict {
      case .regression: throw ExitCode(1)
      case .inconclusive where strict: throw ExitCode(3)
      case .improvement, .withinNoise, .inconclusive: return
      }
    }

    private func timed() throws -> CostComparison {
      let costs = try CostTrial(trial.settings())
      if let baselineFile {
        let kept = try KeptCost.time(in: baselineFile, of: settings())
        return try costs.compare(baseline: kept, candidate: work.bench().costRounds())
      }
      // Other builds work in processes of their own, so that nothing but the build differs.
      let candidate =
        try baselineProgram == nil
        ? work.bench().costRounds() : work.side(of: SelfProcess.path).rounds(settings())
      return try costs.compare(
        baseline: baseline().rounds(settings(baselineSet)), candidate: candidate)
    }

    private func counted() throws -> CostComparison {
      _ = try work.bench()  // what is wrong with the settings is said in words
      let candidate = try work.side().instructions(settings())
      if let baselineFile {
        let (kept, least) = try KeptCost.instructions(
          in: baselineFile, of: settings(), trial.settings())
        return try candidate.comparison(to: kept, minimumEffect: least)
      }
      return try candidate.comparison(
        to: baseline().instructions(settings(baselineSet)),
        minimumEffect: trial.settings().minimumEffect)
    }

    private func baseline() throws -> any CostSide {
      if let baselineProgram { return work.side(of: baselineProgram) }
      return try work.side(subject: baselineSubject)
    }

    private func settings(_ others: [String] = []) throws -> SubjectSettings {
      try work.settings(others)
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
