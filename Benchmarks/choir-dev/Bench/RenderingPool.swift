import Gate
import Metrics

/// The renderings of one random subject, by cell and take: take 0 is the unperturbed one, the others
/// are those under inaudible changes.
struct RenderingPool {
  let gate: Gate
  let takes: Int
  /// Number of renderings of each cell under each change.
  let count: Int
  private let provenance: Baseline.Provenance
  private let addresses: [CellAddress]
  private let cells: [CellAddress: [[ComparedCell]]]

  /// Figures that any of the cells has.
  let figures: Set<FigureID>

  /// - Parameters:
  ///   - gates: what was accepted of the subject, once for each rendering.
  ///   - more: figures that were measured besides.
  init(_ gates: [AcceptedGate], measuring more: Set<FigureID> = []) throws {
    guard let first = gates.first else {
      throw GatePairsError.tooFew(what: "renderings", needed: 1, found: 0)
    }
    (gate, provenance, count) = (first.gate, first.baseline.provenance, gates.count)
    takes = 1 + (gates.map(\.noise.perturbations).min() ?? 0)
    var found: [CellAddress: [[ComparedCell]]] = [:]
    for accepted in gates {
      let run = MeasuredRun(
        cells: accepted.baseline.cells, provenance: accepted.baseline.provenance)
      for (take, other) in ([run] + accepted.noise.runs(of: run)).prefix(takes).enumerated() {
        for cell in other.cells {
          found[cell.address, default: Array(repeating: [], count: takes)][take].append(cell)
        }
      }
    }
    // A run says of every figure where it has no value; a baseline keeps values only.
    let figures = found.values.joined().joined().reduce(into: more) {
      $0.formUnion($1.figures.keys)
    }
    cells = found.mapValues { $0.map { $0.map { $0.undefined(figures) } } }
    self.figures = figures
    addresses = found.keys.sorted()
  }

  var recordings: [String] { Array(Set(addresses.map(\.recording))).sorted() }

  /// Draws the cells of some recordings in one take.
  ///
  /// - Parameter choice: returns the numbers of the renderings of a cell, one for each run.
  /// - Returns: as many runs as `choice` has numbers.
  func runs(
    of recordings: Set<String>, take: Int, count: Int, choice: () -> [Int]
  ) -> [MeasuredRun] {
    var drawn = Array(repeating: [ComparedCell](), count: count)
    for address in addresses where recordings.contains(address.recording) {
      let numbers = choice()
      for run in 0..<count { drawn[run].append(cells[address]![take][numbers[run]]) }
    }
    var origin = provenance
    origin.recordings = origin.recordings.filter { recordings.contains($0.key) }
    return drawn.map { MeasuredRun(cells: $0, provenance: origin) }
  }
}
