import ArgumentParser
import Evaluation
import Foundation

/// What `gate` and `accept` have in common.
struct GateOptions: ParsableArguments {
  @Argument(help: "YAML file of the gate; Corpus/gates has examples.", completion: .yaml) var gate:
    String
  @Option(help: "Folder that holds manifest.csv and audio.", completion: .directory)
  var corpus = Installation.corpus
  @Option(
    help: "In place of the plan's only subject: an id or a subject's .yaml file.",
    completion: .subjects)
  var subject: String?
  @Option(
    help: "Cells at work at once; the gate's, or one for each core unless given.", in: Bounds.jobs)
  var jobs: Int?
  @Option(
    help:
      "What the subject costs, by time or instructions (valgrind), or off; the gate's unless given."
  )
  var cost: CostChoice?

  enum CostChoice: String, ExpressibleByArgument, CaseIterable {
    case time, instructions, off

    var measure: GateCost.Measure? { GateCost.Measure(rawValue: rawValue) }
  }

  func read() throws -> Gate {
    try Gate(reading: URL(fileURLWithPath: Installation.file(gate)))
  }

  func run(of gate: Gate) throws -> GateRun {
    try GateRun(
      gate, corpus: Corpus(folder: URL(fileURLWithPath: corpus)), subject: subject, jobs: jobs)
  }

  /// Whether the cost is to be looked at.
  func comparesCost(of gate: Gate) -> Bool { cost != .off && (cost != nil || gate.cost != nil) }

  /// Where the corpus is another than usual, as other commands have to be told.
  var corpusOptions: [String] { StoreOptions.words(corpus: corpus) }

  /// The gate with all that was chosen here, as `accept` has to be told.
  var words: [String] {
    [gate] + corpusOptions + (subject.map { ["--subject", $0] } ?? [])
      + (jobs.map { ["--jobs", "\($0)"] } ?? []) + (cost.map { ["--cost", $0.rawValue] } ?? [])
  }

  func costRun(of run: GateRun, apart: Bool = false) throws -> GateCostRun {
    try run.costRun(by: cost?.measure, apart: apart, options: corpusOptions)
  }
}

extension Gate {
  /// `nil` where the gate names none.
  func readNoise() throws -> GateNoise? { try noiseFile.map { try GateNoise(reading: $0) } }

  /// `nil` where there is none yet; one that can't be read is a mistake.
  func readBaseline() throws -> Baseline? {
    guard FileManager.default.fileExists(atPath: baselineFile.path) else { return nil }
    return try Baseline(reading: baselineFile)
  }
}
