import ArgumentParser
import CommandSupport
import Corpus
import Metrics

extension CostCommand {
  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Compare a subject's cost with one that calibrate has kept.",
      discussion: """
        Use it where the baseline's build is gone. choir-eval probe --only cost --baseline compares \
        with another subject, settings or build by turns, which is more certain.

          choir-dev cost compare reference --set engine=psola --baseline cost.json

        Exit codes: 0 no regression; 1 regression, confirmed by a second trial; 2 could not \
        measure; 64 misuse.
        """)

    @OptionGroup var work: Work
    @Option(
      help: "File of choir-dev cost calibrate.", completion: .file(extensions: ["json"]))
    var baseline: String
    @OptionGroup var trial: Trial
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let (bench, kept) = try (work.bench(), KeptCost(reading: baseline))
      for difference in kept.differences(from: bench.subject.id, bench.settings) {
        Terminal.printError("warning: \(baseline) \(difference)")
      }
      let comparison = try CostTrial(trial.settings()).compare(
        baseline: kept.cost, candidate: bench.costRounds())
      print(
        try json
          ? JSON.text(
            ComparedCost(subject: work.subject, settings: trial.settings(), found: comparison))
          : comparison.text)
      if comparison.verdict == .regression { throw ExitCode(1) }
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
