import Platform

extension Table {
  /// The table as CSV: one header, one observation per row, every digit of every number. An undefined
  /// amount is an empty field with its reason in the last column.
  ///
  /// - Source: RFC 4180.
  var csv: String {
    let explains = !reasons.isEmpty
    let header = columns.map(\.name) + (explains ? ["undefined"] : [])
    let records = rows.map { row in
      var fields = row.map(\.plain)
      if explains {
        fields.append(
          zip(columns, row).compactMap { column, cell in
            cell.reason.map { "\(column.name): \($0)" }
          }.joined(separator: "; "))
      }
      return fields
    }
    return ([header] + records).map(CSVText.record).joined()
  }
}

extension Table.Cell {
  /// The cell's text without style or unit.
  var plain: String {
    switch self {
    case .text(let text), .command(let text): text
    case .amount(let amount): amount.value.map { "\($0)" } ?? ""
    case .linked(let cell, _), .heard(let cell, _): cell.plain
    }
  }

  fileprivate var reason: String? {
    if case .amount(let amount) = bare { amount.reason?.detail } else { nil }
  }
}
