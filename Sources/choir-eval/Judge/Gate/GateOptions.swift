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
    help: "Subject to use instead of the plan's: an id or a subject's .yaml file.",
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

extension Gate {
  /// Returns the noise, or `nil` if it was never measured; throws if it can't be read.
  func readNoise() throws -> GateNoise? {
    guard noise != nil || FileManager.default.fileExists(atPath: noiseFile.path) else { return nil }
    return try GateNoise(reading: noiseFile)
  }

  /// Returns the baseline, or `nil` if there is none yet; throws if it can't be read.
  func readBaseline() throws -> Baseline? {
    guard FileManager.default.fileExists(atPath: baselineFile.path) else { return nil }
    return try Baseline(reading: baselineFile)
  }
}
