import Testing

@testable import Reporting
@testable import choir_eval

/// A table of a page as a terminal shows it.
@Suite struct PageTextTests {
  private func table(_ rows: [[String]]) -> Table {
    Table(
      id: "findings", title: "Findings",
      columns: ["what", "where", "why"].map { .text($0, $0) },
      rows: rows.map { $0.map { .text($0) } })
  }

  private let long = String(repeating: "long ", count: 13) + "words"

  /// The last column may be long: nothing stands beside it.
  @Test func shortCellsStandSideBySide() {
    let lines = table([["late", "voice +4", long]]).text.split(separator: "\n")
    #expect(lines.first == "Findings" && lines.last == "late  voice +4  \(long)")
  }

  @Test func longCellsStandBelowOneAnother() {
    #expect(table([["late", long, "noise"]]).text == "Findings\nlate\n    \(long)\n    noise")
  }

  @Test func rowsBeyondTheLimitAreCounted() {
    var findings = table([
      ["late", "+4", "noise"], ["flat", "+4", "noise"], ["flat", "+7", "noise"],
    ])
    findings.maxShown = 1
    #expect(findings.text.hasSuffix("late     +4  noise\n… and 2 more"))
  }
}
