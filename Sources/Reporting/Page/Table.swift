/// Rows and columns, shown on the page and saved as CSV.
public struct Table: Sendable {
  public struct Column: Equatable, Sendable {
    /// In CSV and JSON, with the unit at its end: `median_error_cents`.
    public var name: String
    /// On the page.
    public var title: String
    public var unit: String
    /// Nil for text, which stands left; numbers stand right.
    public var style: NumberStyle?

    /// `window` in `ms` is `window_ms`; `frames within` in `%` is `frames_within_percent`.
    static func name(_ title: String, unit: String) -> String {
      let words = "\(title) \(unit.replacing("%", with: "percent"))"
      return ReportFiles.slug(words).replacing("-", with: "_")
    }

    public static func text(_ name: String, _ title: String) -> Column {
      Column(name: name, title: title, unit: "", style: nil)
    }

    public static func number(
      _ name: String, _ title: String, unit: String = "", style: NumberStyle = .significant(3)
    ) -> Column {
      Column(name: name, title: title, unit: unit, style: style)
    }
  }

  public enum Cell: Equatable, Sendable {
    case text(String)
    case amount(Amount)
    /// Leads to where the report says more: an address within it.
    indirect case linked(Cell, to: String)
    /// Lets one hear what it stands for.
    indirect case heard(Cell, AudioLink)

    /// Without its link.
    var bare: Cell {
      switch self {
      case .linked(let cell, _), .heard(let cell, _): cell.bare
      case .text, .amount: self
      }
    }
  }

  /// Lower-case letters, digits and hyphens; unique on the page; names the CSV file.
  public var id: String
  public var title: String
  public var columns: [Column]
  public var rows: [[Cell]]
  /// A sentence below the table.
  public var note: String?
  /// Rows on the page; the others are in the CSV file only.
  public var mostShown = 60
  /// Whether the summary in Markdown has it too.
  public var isInSummary = false
  /// Names by which links find single rows: one for each, or none at all.
  public var rowIDs: [String] = []

  public init(id: String, title: String, columns: [Column], rows: [[Cell]], note: String? = nil) {
    precondition(
      rows.allSatisfy { $0.count == columns.count }, "table \(id): rows and columns differ")
    (self.id, self.title, self.columns, self.rows, self.note) = (id, title, columns, rows, note)
  }

  /// Without columns of numbers in which nothing has a value.
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

  /// Whether all texts of a column are better kept on one line.
  func isShort(_ column: Int) -> Bool {
    rows.prefix(mostShown).allSatisfy { $0[column].plain.count <= 36 }
  }

  /// Why cells are undefined: each reason once, in order of appearance.
  var reasons: [String] {
    var seen: [String] = []
    for case .amount(let amount) in rows.joined().lazy.map(\.bare) {
      if let reason = amount.reason, !seen.contains(reason) { seen.append(reason) }
    }
    return seen
  }
}

extension Table: Encodable {
  private enum Keys: String, CodingKey { case id, title, columns, rows, note }

  /// One object per row, under the names of the columns.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(
      columns.map { ["name": $0.name, "title": $0.title, "unit": $0.unit] }, forKey: .columns)
    let records = rows.map { row in
      Dictionary(zip(columns.map(\.name), row)) { first, _ in first }
    }
    try container.encode(records, forKey: .rows)
    try container.encode(note, forKey: .note)
  }
}

extension Table.Cell: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .amount(let amount): try amount.encode(to: encoder)
    case .linked(let cell, _), .heard(let cell, _): try cell.encode(to: encoder)
    }
  }
}
