import Metrics
import Platform

/// Rows and columns, shown on the page and saved as CSV.
package struct Table: Sendable {
  package struct Column: Equatable, Sendable {
    /// Name in CSV and JSON, which ends with the unit: `median_error_cents`.
    var name: String
    /// Title on the page.
    package var title: String
    package var unit: String
    /// Format of numbers, which are aligned right; `nil` for text, which is aligned left.
    var style: NumberStyle?

    package var heading: String { unit.isEmpty ? title : "\(title), \(unit)" }
    package var isNumber: Bool { style != nil }

    /// Returns the text of a cell for people.
    package func text(of cell: Cell) -> String {
      guard case .amount(let amount) = cell.bare else { return cell.plain }
      return amount.gap?.rawValue ?? (style ?? .significant(3)).text(amount)
    }

    /// Returns the name for CSV and JSON: `window` in `ms` is `window_ms`, and `frames within` in `%`
    /// is `frames_within_percent`.
    static func name(_ title: String, unit: String) -> String {
      let words = "\(title) \(unit.replacing("%", with: "percent"))"
      return ReportFiles.slug(words).replacing("-", with: "_")
    }

    static func text(_ name: String, _ title: String) -> Column {
      Column(name: name, title: title, unit: "", style: nil)
    }

    static func number(
      _ name: String, _ title: String, unit: String = "", style: NumberStyle = .significant(3)
    ) -> Column {
      Column(name: name, title: title, unit: unit, style: style)
    }
  }

  package enum Cell: Equatable, Sendable {
    case text(String)
    case amount(Amount)
    /// A line to type.
    case command(String)
    /// A cell that links to an address within the report.
    indirect case linked(Cell, to: String)
    /// A cell that plays a sound.
    indirect case heard(Cell, AudioLink)

    var isCommand: Bool { if case .command(let line) = self { !line.isEmpty } else { false } }

    /// The cell without its link.
    var bare: Cell {
      switch self {
      case .linked(let cell, _), .heard(let cell, _): cell.bare
      case .text, .amount, .command: self
      }
    }
  }

  /// Lower-case letters, digits and hyphens; unique on the page; names the CSV file.
  var id: String
  package var title: String
  package var columns: [Column]
  package var rows: [[Cell]]
  /// A sentence below the table.
  var note: String?
  /// Maximum number of rows on the page; the others are in the CSV file only.
  package var maxShown: Int
  /// True adds the table to the Markdown summary.
  var isInSummary: Bool

  init(
    id: String, title: String, columns: [Column], rows: [[Cell]], note: String? = nil,
    maxShown: Int = 60, isInSummary: Bool = false
  ) {
    precondition(
      rows.allSatisfy { $0.count == columns.count }, "table \(id): rows and columns differ")
    (self.id, self.title, self.columns, self.rows, self.note) = (id, title, columns, rows, note)
    (self.maxShown, self.isInSummary) = (maxShown, isInSummary)
  }

  /// Returns the table without columns of numbers that have no value.
  func withoutEmptyColumns() -> Table {
    let kept = columns.indices.filter { place in
      columns[place].style == nil
        || rows.contains {
          if case .amount(let one) = $0[place].bare { one.value != nil } else { true }
        }
    }
    var table = self
    table.columns = kept.map { columns[$0] }
    table.rows = rows.map { row in kept.map { row[$0] } }
    return table
  }

  /// True if all texts of a column are short enough for one line.
  package func isShort(_ column: Int) -> Bool {
    rows.prefix(maxShown).allSatisfy { $0[column].plain.count <= 36 }
  }

  /// Reasons for undefined cells, each once, in order of appearance.
  var reasons: [Undefined] {
    var seen: [Undefined] = []
    for case .amount(let amount) in rows.joined().lazy.map(\.bare) {
      if let reason = amount.reason, !seen.contains(reason) { seen.append(reason) }
    }
    return seen
  }
}

extension Table: Encodable {
  /// Encodes one object per row, with the names of the columns as keys.
  package func encode(to encoder: any Encoder) throws {
    let records = rows.map { row in
      Dictionary(zip(columns.map(\.name), row)) { first, _ in first }
    }
    let table: JSONObject = [
      "id": id, "title": title,
      "columns": columns.map { ["name": $0.name, "title": $0.title, "unit": $0.unit] },
      "rows": records, "note": JSONObject.orNull(note),
    ]
    try table.encode(to: encoder)
  }
}

extension Table.Cell: Encodable {
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text), .command(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .amount(let amount): try amount.encode(to: encoder)
    case .linked(let cell, _), .heard(let cell, _): try cell.encode(to: encoder)
    }
  }
}
