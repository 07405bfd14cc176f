import ArgumentParser
import Gate

/// Judges accepted gates as gates of each other, by the gate's own code and without measuring
/// anything: a few accepted baselines with their noise give many verdicts.
struct GatePairs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate-pairs", abstract: "Judge accepted gates as gates of each other.",
    subcommands: [Pairs.self, Draws.self])

  /// Judges every pair as the gate of one would judge the other's subject.
  struct Pairs: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Judge every candidate by every gate.",
      discussion: """
        Prints a line for each pair, with tabs between: the gate, the candidate, the outcome, the \
        number of takes, and for each cause its title, with the metric that heads it and the reason.
        """)

    @Argument(help: "Files of accepted gates.") var gates: [String]
    @Option(parsing: .upToNextOption, help: "Files of accepted gates that are judged.")
    var candidates: [String]

    func run() throws {
      let candidates = try candidates.map(AcceptedGate.init)
      for gate in try gates.map(AcceptedGate.init) {
        let judge = GateJudge(
          gate.gate, baseline: gate.baseline, noise: gate.noise, explainOptions: "")
        for candidate in candidates where candidate.name != gate.name {
          let run = candidate.run(beside: gate)
          let takes = try judge.perturbations(for: run).isEmpty ? [] : candidate.noise.runs(of: run)
          let result = try judge.result(of: run, takes: takes)
          let words = [gate.name, candidate.name, result.outcome().rawValue, "\(result.takes)"]
          print((words + result.causesInWords).joined(separator: "\t"))
        }
      }
    }
  }

  /// Judges gates that are drawn from the renderings of a random subject.
  struct Draws: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Draw gates of a random subject from a few of its renderings.",
      discussion: """
        Each gate draws its recordings, and for each recording and each inaudible change the \
        rendering of the baseline and another one of the candidate. It accepts the baseline, judges \
        the candidate, and judges the faulty subject. Prints the counts, and a line for each gate \
        that failed.
        """)

    @Argument(help: "Files of the gates accepted of one random subject; two at least.")
    var renderings: [String]
    @Option(parsing: .upToNextOption, help: "Files of the gates accepted of the faulty subject.")
    var faulty: [String]
    @Option(help: "Title of the cause that a gate must name first of the faulty subject.")
    var cause: String
    @Option(help: "Number of gates.") var gates = 200
    @Option(help: "Recordings of each gate.") var recordings: Int
    @Option(help: "Seed of the draws.") var seed: UInt64 = 1

    func run() throws {
      let pool = try RenderingPool(renderings.map(AcceptedGate.init))
      let faulty = try RenderingPool(faulty.map(AcceptedGate.init), measuring: pool.figures)
      let trial = DrawnGates(pool: pool, faulty: faulty, recordings: recordings, cause: cause)
      for line in try trial.lines(gates: gates, seed: seed) { print(line) }
    }
  }
}

extension GateResult {
  /// Each cause by its title, with the metric that heads it and the reason.
  var causesInWords: [String] {
    causes.map { cause in
      let head = comparison?.differences.first { $0.key == cause.head }
      return "\(cause.title) (\(cause.head.figure.metric): \(head?.reason ?? "no reason"))"
    }
  }
}
