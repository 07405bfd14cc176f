import Foundation
import Gate
import Metrics

/// A gate with the baseline and the noise that `accept` has stored.
struct AcceptedGate {
  let gate: Gate
  let baseline: Baseline
  let noise: GateNoise

  init(_ path: String) throws {
    gate = try Gate(reading: URL(fileURLWithPath: path))
    guard let baseline = try gate.readBaseline(), let noise = try gate.readNoise(of: baseline)
    else {
      throw GatePairsError.notAccepted(path: path)
    }
    (self.baseline, self.noise) = (baseline, noise)
  }

  var name: String { gate.url.deletingPathExtension().lastPathComponent }

  /// Returns the run that was accepted. A baseline has values only, so what `other` has besides is
  /// undefined.
  func run(beside other: AcceptedGate) -> MeasuredRun {
    let known = Dictionary(uniqueKeysWithValues: other.baseline.cells.map { ($0.address, $0) })
    let cells = baseline.cells.map { cell in
      cell.undefined(Set(known[cell.address]?.figures.keys.map(\.self) ?? []))
    }
    return MeasuredRun(cells: cells, provenance: baseline.provenance)
  }
}

extension ComparedCell {
  /// Returns the cell with those of `figures` that it lacks as undefined.
  func undefined(_ figures: Set<FigureID>) -> ComparedCell {
    let none = MetricResult.Outcome.undefined(Undefined(.uncertain, "has no value"))
    let lost = Dictionary(uniqueKeysWithValues: figures.map { ($0, none) })
    return ComparedCell(address, figures: self.figures.merging(lost) { own, _ in own }, key: key)
  }
}

enum GatePairsError: Error, CustomStringConvertible {
  case notAccepted(path: String)
  case tooFew(what: String, needed: Int, found: Int)

  var description: String {
    switch self {
    case .notAccepted(let path): "\(path) has no baseline with noise; run choir-eval accept \(path)"
    case .tooFew(let what, let needed, let found):
      "there are \(found) \(what), and \(needed) are needed"
    }
  }
}
