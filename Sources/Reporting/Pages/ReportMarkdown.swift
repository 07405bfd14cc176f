import Mustache
import Platform

/// The summary of a page in Markdown, for pull requests and chats: verdict, headlines, coverage and
/// the most useful tables.
package struct ReportMarkdown {
  /// Maximum number of rows in a table.
  private static let maxRows = 10

  private let template: MustacheTemplate

  package init() throws {
    template = try MustacheTemplate(
      string: String(decoding: PackageResources.summary_mustache, as: UTF8.self))
  }

  package func render(_ page: ReportPage) -> String {
    return template.render(
      [
        "title": page.title.asMarkdown, "subtitle": page.subtitle.asMarkdown,
        "outcome": "\(page.verdict.outcome.sign) \(page.verdict.outcome.words)",
        "sentence": page.verdict.sentence.asMarkdown, "coverage": page.coverage.asMarkdown,
        "command": page.command, "headlines": page.headlines.map(view),
        "next": page.next, "hasHeadlines": !page.headlines.isEmpty,
        "tables": page.sections.flatMap(\.tables).filter(\.isInSummary).map(view),
      ] as View)
  }

  private func view(_ headline: Headline) -> View {
    let (amount, style) = (headline.amount, headline.style)
    return [
      "title": headline.title.asMarkdown,
      "value": (amount.reasonInWords ?? "\(style.text(amount)) \(headline.unit)").asMarkdown,
      "grade": headline.scale.map { scale in
        "\(headline.grade.map { "\($0.rawValue); " } ?? "")\(scale.limits)".asMarkdown
      } ?? "",
      "interval": headline.interval.map { style.text($0) } ?? "", "count": "\(headline.count)",
      "change": headline.change.asMarkdown,
    ]
  }

  private func view(_ table: Table) -> View {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    let rows = table.rows.prefix(Self.maxRows).map { row in
      line(
        zip(row, table.columns).map { cell, column in
          if case .command(let line) = cell, !line.isEmpty { return "`\(line)`" }
          return column.text(of: cell).asMarkdown
        })
    }
    let left = table.rows.count - rows.count
    return [
      "title": table.title.asMarkdown,
      "header": line(table.columns.map(\.heading.asMarkdown)),
      "rule": line(table.columns.map { $0.isNumber ? "---:" : "---" }), "rows": rows,
      "more": left > 0 ? ["\(counted(left, "further row"))."] : [],
    ]
  }
}

extension String {
  /// The text without characters that would break a table, mark text up or begin a tag.
  var asMarkdown: String {
    var safe = ""
    for character in self {
      switch character {
      case "|", "*", "_", "`", "[", "]", "\\": safe += "\\\(character)"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case _ where character.isNewline: safe += " "
      default: safe.append(character)
      }
    }
    return safe
  }
}
