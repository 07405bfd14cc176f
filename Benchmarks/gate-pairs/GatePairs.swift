import Foundation
import Gate
import Metrics

/// Judges every pair of accepted gates as the gate of one would judge the other's subject: without
/// measuring anything, so a few accepted baselines with their noise give many verdicts.
///
/// Prints a line for each pair, with tabs between: the gate, the candidate, the outcome, the number of
/// takes, and for each cause its title, with the metric that heads it and the reason.
@main struct GatePairs {
  /// A gate with the baseline and the noise that `accept` has stored.
  struct Accepted {
    let gate: Gate
    let baseline: Baseline
    let noise: GateNoise

    init(_ path: String) throws {
      gate = try Gate(reading: URL(fileURLWithPath: path))
      guard let baseline = try gate.readBaseline(), let noise = try gate.readNoise() else {
        throw GatePairsError.notAccepted(path: path)
      }
      (self.baseline, self.noise) = (baseline, noise)
    }

    var name: String { gate.url.deletingPathExtension().lastPathComponent }

    /// Returns the run that was accepted. A baseline has values only, so what `other` has besides is
    /// undefined.
    func run(beside other: Accepted) -> MeasuredRun {
      let known = Dictionary(uniqueKeysWithValues: other.baseline.cells.map { ($0.address, $0) })
      let cells = baseline.cells.map { cell in
        let lost = known[cell.address]?.figures.mapValues { _ in
          MetricResult.Outcome.undefined(Undefined(.notMeasured, "has no value"))
        }
        return ComparedCell(
          cell.address, figures: cell.figures.merging(lost ?? [:]) { own, _ in own }, key: cell.key)
      }
      return MeasuredRun(cells: cells, provenance: baseline.provenance)
    }
  }

  static func main() {
    do {
      try judge()
    } catch {
      FileHandle.standardError.write(Data("gate-pairs: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func judge() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let separator = words.firstIndex(of: "--"), separator > 0 else {
      FileHandle.standardError.write(Data("gate-pairs GATE ... -- CANDIDATE ...\n".utf8))
      exit(64)
    }
    let gates = try words[..<separator].map(Accepted.init)
    let candidates = try words[(separator + 1)...].map(Accepted.init)
    for gate in gates {
      let judge = GateJudge(
        gate.gate, baseline: gate.baseline, noise: gate.noise, explainOptions: "")
      for candidate in candidates where candidate.name != gate.name {
        let run = candidate.run(beside: gate)
        let takes =
          try judge.perturbations(for: run).isEmpty ? [] : candidate.noise.runs(of: run)
        let result = try judge.result(of: run, takes: takes)
        let causes = result.causes.map { cause in
          let head = result.comparison?.differences.first { $0.key == cause.head }
          return "\(cause.title) (\(cause.head.figure.metric): \(head?.reason ?? "no reason"))"
        }
        print(
          ([gate.name, candidate.name, result.outcome().rawValue, "\(result.takes)"] + causes)
            .joined(separator: "\t"))
      }
    }
  }
}

enum GatePairsError: Error, CustomStringConvertible {
  case notAccepted(path: String)

  var description: String {
    switch self {
    case .notAccepted(let path): "\(path) has no baseline with noise; run choir-eval accept \(path)"
    }
  }
}
