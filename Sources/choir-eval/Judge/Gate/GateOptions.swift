import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate

/// Options of commands that measure the cells of a gate.
struct GateOptions: ParsableArguments {
  @Argument(help: "YAML file of the gate; Corpus/gates has examples.", completion: .yaml) var gate:
    String
  @Option(help: "Corpus folder, with manifest.csv and audio.", completion: .directory)
  var corpus = Installation.corpus
  @Option(
    help: "Subject to use instead of the plan's: an id, an engine or a .yaml file.",
    completion: .subjects)
  var subject: String?
  @Option(
    help: "Cells to compute in parallel; default: the gate's, or one for each core.",
    in: Bounds.jobs)
  var jobs: Int?

  func read() throws -> Gate {
    try Gate(reading: URL(fileURLWithPath: Installation.file(gate)))
  }

  func run(of gate: Gate) throws -> GateRun {
    try GateRun(
      gate, corpus: Corpus(folder: URL(fileURLWithPath: corpus)), subject: subject, jobs: jobs)
  }

  /// Options that make another command use the same corpus; empty for the default.
  var corpusOptions: [String] { StoreOptions.words(corpus: corpus) }

  /// The gate and all options given, as arguments of another command.
  var words: [String] {
    [gate] + corpusOptions + (subject.map { ["--subject", $0] } ?? [])
      + (jobs.map { ["--jobs", "\($0)"] } ?? [])
  }
}
