import Evaluation

/// Where in the report single cells stand.
struct CellAddresses: Sendable {
  private var known: [String: String] = [:]

  /// `nil` of a cell that no page shows.
  subscript(key: String) -> String? { known[key] }

  mutating func note(_ cell: CellResult, on page: String) {
    known[cell.key] = Subpage.address(of: page, Self.rowID(cell))
  }

  static func rowID(_ cell: CellResult) -> String { "cell-\(cell.key.prefix(12))" }
}
