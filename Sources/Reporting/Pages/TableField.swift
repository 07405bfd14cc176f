import Metrics

extension Table {
  /// A column with the function that finds its cell in the value of a row.
  struct Field<Row> {
    var column: Column
    var cell: (Row) -> Cell

    static func text(_ name: String, _ title: String, _ text: @escaping (Row) -> String) -> Field {
      Field(column: .text(name, title)) { .text(text($0)) }
    }

    /// A column of texts that may have links.
    static func cell(_ name: String, _ title: String, _ cell: @escaping (Row) -> Cell) -> Field {
      Field(column: .text(name, title), cell: cell)
    }

    /// - Parameter reason: reason for a missing value.
    static func number(
      _ name: String, _ title: String, unit: String = "", style: NumberStyle = .significant(3),
      otherwise reason: String = "not measured", _ value: @escaping (Row) -> Double?
    ) -> Field {
      amount(name, title, unit: unit, style: style) { Amount(value($0), otherwise: reason) }
    }

    static func amount(
      _ name: String, _ title: String, unit: String = "", style: NumberStyle = .significant(3),
      _ amount: @escaping (Row) -> Amount
    ) -> Field {
      Field(column: .number(name, title, unit: unit, style: style)) { .amount(amount($0)) }
    }

    /// A column whose name in CSV follows from its title and unit.
    static func titled(
      _ title: String, unit: String, style: NumberStyle = .significant(3),
      otherwise reason: String = "not measured", _ value: @escaping (Row) -> Double?
    ) -> Field {
      number(
        Column.name(title, unit: unit), title, unit: unit, style: style, otherwise: reason, value)
    }

    /// Returns the same column for rows that have such a value.
    func of<Other>(_ row: @escaping (Other) -> Row) -> Field<Other> {
      Field<Other>(column: column) { cell(row($0)) }
    }

    static func count(
      _ name: String, _ title: String? = nil, _ count: @escaping (Row) -> Int
    ) -> Field {
      number(name, title ?? name, style: .decimals(0)) { Double(count($0)) }
    }
  }

  init<Row>(
    id: String, title: String, of rows: [Row], _ fields: [Field<Row>], note: String? = nil,
    maxShown: Int = 60, isInSummary: Bool = false
  ) {
    self.init(
      id: id, title: title, columns: fields.map(\.column),
      rows: rows.map { row in fields.map { $0.cell(row) } }, note: note, maxShown: maxShown,
      isInSummary: isInSummary)
  }
}
