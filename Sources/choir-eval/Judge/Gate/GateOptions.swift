import ArgumentParser
import CommandSupport
import Corpus
import Foundation
import Gate
import Subjects

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
    try GateRun(gate, corpus: place.read(), subject: subject, jobs: jobs)
  }

  /// The gate and all options given, as arguments of another command.
  var words: [String] {
    [gate] + place.words + (subject.map { ["--subject", $0] } ?? [])
      + (jobs.map { ["--jobs", "\($0)"] } ?? [])
  }
}

/// The choice of how `gate` compares cost with another program, subject or revision.
struct GateCostOptions: ParsableArguments {
  @Option(
    name: .customLong("cost"),
    help: "Comparison of cost: by time, or off; default: the gate's.")
  var method: Method?

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case time, off
  }

  /// True if the gate or the user asks for a comparison of cost.
  func isCompared(in gate: Gate) -> Bool { method != .off && (method != nil || gate.cost != nil) }

  /// The option as given, as arguments of another command.
  var words: [String] { method.map { ["--cost", $0.rawValue] } ?? [] }
}

/// The other side of a comparison of cost, as typed: a path of a program, or a subject.
enum BaselineSide {
  static func isProgram(_ text: String) -> Bool { text.contains("/") && !text.hasSuffix(".yaml") }

  /// - Parameter subject: the subject that another program runs.
  static func side(_ text: String, running subject: String, in corpus: URL) throws -> any CostSide {
    isProgram(text)
      ? ProgramSide(text, running: subject, in: corpus) : try SubjectSide(text, in: corpus)
  }
}

extension GateRun {
  /// Measures the subject under each perturbation, with a progress bar.
  func takes(_ perturbations: [Perturbation]) async throws -> [MeasuredRun] {
    var runs: [MeasuredRun] = []
    for (index, perturbation) in perturbations.enumerated() {
      Terminal.progress("inaudible change \(index + 1) of \(perturbations.count)\n")
      runs.append(
        try await Interruption.measuring { stop, report in
          try await measureOnce(under: perturbation, stop: stop, report: report)
        })
    }
    return runs
  }
}
