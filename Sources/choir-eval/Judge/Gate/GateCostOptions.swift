import ArgumentParser
import Foundation
import Gate

/// The choice of how `gate` and `accept` compare cost.
struct GateCostOptions: ParsableArguments {
  @Option(
    name: .customLong("cost"),
    help: """
      Comparison of cost: by time, by instructions (under valgrind), or off; default: the gate's.
      """)
  var method: Method?

  enum Method: String, ExpressibleByArgument, CaseIterable {
    case time, instructions, off

    var measure: GateCost.Measure? { GateCost.Measure(rawValue: rawValue) }
  }

  /// True if the gate or the user asks for a comparison of cost.
  func isCompared(in gate: Gate) -> Bool { method != .off && (method != nil || gate.cost != nil) }

  /// The option as given, as arguments of another command.
  var words: [String] { method.map { ["--cost", $0.rawValue] } ?? [] }

  func run(of run: GateRun, apart: Bool = false, options: GateOptions) throws -> GateCostRun {
    try run.costRun(by: method?.measure, apart: apart, options: options.place.words)
  }
}

/// The other side of a comparison of cost, as typed: a path of a program, or a subject.
enum BaselineSide {
  static func isProgram(_ text: String) -> Bool { text.contains("/") && !text.hasSuffix(".yaml") }

  /// - Parameter subject: the subject that another program runs.
  static func side(
    _ text: String, running subject: String, in corpus: URL
  ) throws -> any CostSide {
    isProgram(text)
      ? ProgramSide(text, running: subject, in: corpus) : try SubjectSide(text, in: corpus)
  }
}
