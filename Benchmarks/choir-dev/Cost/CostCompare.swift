import ArgumentParser
import CommandSupport
import Corpus
import Metrics

extension CostCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare a candidate's cost with a baseline's, in alternating rounds.",
      discussion: """
        The candidate is SUBJECT with --set. The baseline is the same subject with other settings \
        (--baseline-set), another subject with the same settings (--baseline-subject), or an earlier \
        measurement (--baseline-file, written by choir-dev cost calibrate). choir-eval gate compares \
        with another build, and by counted instructions.

          choir-dev cost compare reference --set engine=psola \\
            --baseline-set engine=delayline
          choir-dev cost compare reference --baseline-file cost.json

        Exit codes: 0 no regression; 1 regression, confirmed by a second trial; 2 could not \
        measure; 64 misuse.
        """)

    @OptionGroup var work: Work
    @Option(help: "Setting of the baseline, NAME=VALUE, which overrides --set; repeatable.")
    var baselineSet: [String] = []
    @Option(help: "Baseline subject, an id, an engine or a .yaml file.", completion: .subjects)
    var baselineSubject: String?
    @Option(
      help: "Baseline file of choir-dev cost calibrate.",
      completion: .file(extensions: ["json"])) var baselineFile: String?
    @OptionGroup var trial: Trial
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
      let kinds = [!baselineSet.isEmpty, baselineSubject != nil, baselineFile != nil]
      guard kinds.count(where: { $0 }) == 1 else {
        throw ValidationError(
          "There must be one baseline; give one of --baseline-set, --baseline-subject and "
            + "--baseline-file.")
      }
    }

    func run() throws {
      let comparison = try compared()
      print(
        try json
          ? JSON.text(
            ComparedCost(subject: work.subject, settings: trial.settings(), found: comparison))
          : CostText.text(comparison))
      if comparison.verdict == .regression { throw ExitCode(1) }
    }

    private func compared() throws -> CostComparison {
      let (costs, bench) = try (CostTrial(trial.settings()), work.bench())
      if let baselineFile {
        let kept = try KeptCost(reading: baselineFile)
        for difference in kept.differences(from: bench.subject.id, bench.settings) {
          Terminal.printError("warning: \(baselineFile) \(difference)")
        }
        return try costs.compare(baseline: kept.cost, candidate: bench.costRounds())
      }
      let baseline = try work.bench(setting: baselineSet, of: baselineSubject)
      return try costs.compare(baseline: baseline.costRounds(), candidate: bench.costRounds())
    }
  }
}

/// A comparison in the output of `--json`.
private struct ComparedCost: Encodable {
  var schema = "choir-dev.cost/1"
  var subject: String
  var settings: CostTrial.Settings
  var found: CostComparison
}
