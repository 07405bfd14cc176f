/// The matching cells of two runs, and the cells that only one run has.
public struct PairedCells: Sendable {
  public struct Pair: Sendable {
    public var baseline: ComparedCell
    public var candidate: ComparedCell
    public var address: CellAddress { candidate.address }
  }

  public var pairs: [Pair]
  /// Cells of the baseline only, which the candidate did not measure.
  public var missing: [ComparedCell]
  /// Cells of the candidate only.
  public var added: [ComparedCell]

  /// - Throws: if two cells of one side have the same address.
  public init(baseline: [ComparedCell], candidate: [ComparedCell]) throws(ComparisonError) {
    let before = try Self.places(of: baseline, side: "baseline")
    let after = try Self.places(of: candidate, side: "candidate")
    pairs = candidate.compactMap { cell in
      before[cell.address].map { Pair(baseline: baseline[$0], candidate: cell) }
    }
    missing = baseline.filter { after[$0.address] == nil }
    added = candidate.filter { before[$0.address] == nil }
  }

  private static func places(
    of cells: [ComparedCell], side: String
  ) throws(ComparisonError) -> [CellAddress: Int] {
    var found: [CellAddress: Int] = [:]
    found.reserveCapacity(cells.count)
    for (place, cell) in cells.enumerated() {
      if found.updateValue(place, forKey: cell.address) != nil {
        throw .ambiguous(side: side, cell: "\(cell.address)")
      }
    }
    return found
  }
}

/// A failure that prevents a comparison.
public enum ComparisonError: Error, Equatable, CustomStringConvertible {
  case ambiguous(side: String, cell: String)
  case nothingInCommon(baseline: String, candidate: String)

  static func nothingInCommon(baseline: [ComparedCell], candidate: [ComparedCell]) -> Self {
    .nothingInCommon(
      baseline: baseline.first.map { "'\($0.address)'" } ?? "none",
      candidate: candidate.first.map { "'\($0.address)'" } ?? "none")
  }

  public var description: String {
    switch self {
    case .ambiguous(let side, let cell):
      "the \(side) has more than one cell '\(cell)'; choose among their settings, as in "
        + "RUN?engine=psola"
    case .nothingInCommon(let baseline, let candidate):
      "the two sides have no cell in common: the baseline has \(baseline), the candidate "
        + "\(candidate); compare takes the settings that differ with --ignoring, and a gate whose plan "
        + "changed is accepted again"
    }
  }
}
