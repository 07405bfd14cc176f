import CommandSupport
import Platform
import Reporting

/// A page as text for a terminal: its verdict, numbers and tables, without pictures and sounds. Folded
/// sections are counted only.
enum PageText {
  static func text(_ page: ReportPage) -> String {
    let sections = page.sections.flatMap { section in
      section.isFolded
        ? ["\(section.title): \(section.tables.reduce(0) { $0 + $1.rows.count }), on the page"]
        : [section.intro] + section.tables.map(\.text)
    }
    let parts =
      [
        "\(page.title)\n\(page.subtitle)",
        VerdictText.text(page.summary, ANSIStyle(isOn: false)),
        page.next.map { "\($0.term): \($0.text)" }.joined(separator: "\n"),
      ] + sections + [page.provenance.map { "\($0.term): \($0.text)" }.joined(separator: "\n")]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

extension Table {
  /// The title above the rows: side by side, or the cells of each below one another where some are long.
  var text: String {
    let shown = rows.prefix(maxShown).map { row in zip(columns, row).map { $0.text(of: $1) } }
    let isGrid = columns.indices.dropLast().allSatisfy { place in
      shown.allSatisfy { $0[place].count <= 64 }
    }
    let body =
      isGrid
      ? TextTable(header: columns.map(\.heading), rows: shown).text()
      : shown.map(item).joined(separator: "\n")
    let more = rows.count > shown.count ? "\n… and \(rows.count - shown.count) more" : ""
    return "\(title)\n\(body)\(more)"
  }

  /// The short cells that a row begins with, and the others below them.
  private func item(_ row: [String]) -> String {
    let count = columns.indices.prefix(while: isShort).count
    let rest = zip(columns, row).dropFirst(count).filter { !$1.isEmpty }.map { column, text in
      "\n    " + (column.isNumber ? "\(column.heading): " : "") + text
    }
    return row.prefix(count).joined(separator: "  ") + rest.joined()
  }
}
