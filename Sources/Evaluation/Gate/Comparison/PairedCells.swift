import Platform

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
  public init(baseline: [ComparedCell], candidate: [ComparedCell]) throws(Refusal) {
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
  ) throws(Refusal) -> [CellAddress: Int] {
    var found: [CellAddress: Int] = [:]
    found.reserveCapacity(cells.count)
    for (place, cell) in cells.enumerated() {
      if found.updateValue(place, forKey: cell.address) != nil {
        throw Refusal(
          "the \(side) has more than one cell '\(cell.address)'; choose among their settings, as in "
            + "RUN?engine=psola")
      }
    }
    return found
  }
}
