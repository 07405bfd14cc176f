import ArgumentParser
import CommandSupport
import Corpus
import Gate
import Metrics

extension CostCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare a candidate's cost with a baseline's, in alternating rounds.",
      discussion: """
        Use it to find out whether a setting or a build costs more than another. The candidate is \
        SUBJECT with --set. The baseline is the same subject with other settings (--baseline-set), \
        another subject with the same settings (--baseline-subject), the same subject in another \
        build (--baseline-program), or an earlier measurement (--baseline-file, written by \
        choir-eval cost calibrate or choir-eval accept).

          choir-eval cost reference --set engine=psola \\
            --baseline-set engine=delayline
          choir-eval cost reference --baseline-program ~/released/choir-eval
          choir-eval cost reference --baseline-file cost.json
          choir-eval cost reference --instructions \\
            --baseline-program ~/released/choir-eval

        Exit codes: 0 no regression; 1 regression, confirmed by a second trial; 2 could not \
        measure; 3 inconclusive, with --strict; 64 misuse.
        """)

    @OptionGroup var work: Work
    @Option(help: "Setting of the baseline, NAME=VALUE, which overrides --set; repeatable.")
    var baselineSet: [String] = []
    @Option(
      help: "Another choir-eval executable, whose subject is the baseline.", completion: .file())
    var baselineProgram: String?
    @Option(help: "Baseline subject, an id, an engine or a .yaml file.", completion: .subjects)
    var baselineSubject: String?
    @Option(
      help: "Baseline file of choir-eval cost calibrate or choir-eval accept.",
      completion: .file(extensions: ["json", "tsv"])) var baselineFile: String?
    @Flag(help: "Count instructions under valgrind instead of measuring time.")
    var instructions = false
    @OptionGroup var trial: Trial
    @Flag(help: "Exit with 3 if the result is inconclusive.") var strict = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
      let kinds = [
        !baselineSet.isEmpty, baselineSubject != nil, baselineProgram != nil, baselineFile != nil,
      ]
      guard kinds.count(where: { $0 }) == 1 else {
        throw ValidationError(
          "There must be one baseline; give one of --baseline-set, --baseline-subject, "
            + "--baseline-program and --baseline-file.")
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
        let bench = try work.bench()
        let kept = try KeptCost.time(in: baselineFile, of: bench)
        return try costs.compare(baseline: kept, candidate: bench.costRounds())
      }
      // With another build both sides run in child processes, so that only the build differs.
      let candidate =
        try baselineProgram == nil
        ? work.bench().costRounds() : work.side(of: SelfProcess.path).rounds(settings())
      return try costs.compare(
        baseline: baseline().rounds(settings(baselineSet)), candidate: candidate)
    }

    private func counted() throws -> CostComparison {
      _ = try work.bench()  // reports wrong settings in words
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

/// A comparison in the output of `--json`.
private struct ComparedCost: Encodable {
  var schema = "choir-eval.cost/1"
  var subject: String
  var settings: CostTrial.Settings
  var found: CostComparison
}
