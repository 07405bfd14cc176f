import Mustache
import Platform

/// The summary of a page in Markdown, for pull requests and chats: verdict, headlines, coverage and
/// the most useful tables.
package struct ReportMarkdown {
  /// Maximum number of rows in a table.
  private static let mostRows = 10

  private let template: MustacheTemplate

  package init() throws {
    template = try MustacheTemplate(
      string: String(decoding: PackageResources.summary_mustache, as: UTF8.self))
  }

  package func render(_ page: ReportPage) -> String { template.render(SummaryView(page)) }

  // Views of the template.

  private struct SummaryView {
    let title, subtitle, outcome, sentence, coverage, command: String
    let headlines: [HeadlineView]
    let tables: [TableView]

    init(_ page: ReportPage) {
      (title, subtitle) = (escaped(page.title), escaped(page.subtitle))
      outcome =
        page.verdict.outcome.rawValue.prefix(1).uppercased()
        + page.verdict.outcome.rawValue.dropFirst()
      (sentence, coverage) = (escaped(page.verdict.sentence), escaped(page.coverage))
      command = page.command
      headlines = page.headlines.map(HeadlineView.init)
      tables = page.sections.flatMap(\.tables).filter(\.isInSummary).map(TableView.init)
    }
  }

  private struct HeadlineView {
    let title, value, grade, interval, count, change: String

    init(_ headline: Headline) {
      title = escaped(headline.title)
      value =
        headline.amount.reasonInWords.map(escaped)
        ?? escaped("\(headline.style.text(headline.amount)) \(headline.unit)")
      grade =
        headline.scale.map { scale in
          escaped("\(headline.grade.map { "\($0.rawValue); " } ?? "")\(scale.limits)")
        } ?? ""
      interval = headline.interval.map { headline.style.text($0) } ?? ""
      count = "\(headline.count)"
      change = escaped(headline.change)
    }
  }

  private struct TableView {
    let title, header, rule: String
    let rows: [String]
    /// Count of further rows; none or one.
    let more: [String]

    init(_ table: Table) {
      func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
      title = escaped(table.title)
      header = line(
        table.columns.map { escaped($0.unit.isEmpty ? $0.title : "\($0.title), \($0.unit)") })
      rule = line(table.columns.map { $0.style == nil ? "---" : "---:" })
      rows = table.rows.prefix(ReportMarkdown.mostRows).map { row in
        line(
          zip(row, table.columns).map { cell, column in
            guard case .amount(let amount) = cell.bare else { return escaped(cell.plain) }
            return amount.gap?.rawValue ?? (column.style ?? .significant(3)).text(amount)
          })
      }
      let left = table.rows.count - rows.count
      more = left > 0 ? ["\(counted(left, "further row"))."] : []
    }
  }
}

/// Escapes characters that would break a table or begin a tag.
private func escaped(_ text: String) -> String {
  var safe = ""
  for character in text {
    switch character {
    case "|", "*", "_", "`", "[", "]", "\\": safe += "\\\(character)"
    case "<": safe += "&lt;"
    case _ where character.isNewline: safe += " "
    default: safe.append(character)
    }
  }
  return safe
}
