import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate

/// Options of commands that measure the cells of a gate.
struct GateOptions: ParsableArguments {
  @Argument(help: "YAML file of the gate; Corpus/gates has examples.", completion: .yaml) var gate:
    String
  @OptionGroup var place: CorpusOption
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
      gate, corpus: place.read(), subject: subject, jobs: jobs)
  }

  /// The gate and all options given, as arguments of another command.
  var words: [String] {
    [gate] + place.words + (subject.map { ["--subject", $0] } ?? [])
      + (jobs.map { ["--jobs", "\($0)"] } ?? [])
  }
}
