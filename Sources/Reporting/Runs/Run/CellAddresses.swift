import Sweep

/// Addresses of single cells within the report.
struct CellAddresses: Sendable {
  private var known: [String: String] = [:]

  /// The address of a cell; `nil` if no page shows it.
  subscript(key: String) -> String? { known[key] }

  mutating func note(_ cell: CellResult, on page: String) {
    known[cell.key] = Subpage.address(of: page, Self.rowID(cell))
  }

  static func rowID(_ cell: CellResult) -> String { "cell-\(cell.key.prefix(12))" }
}
