import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportMarkdownTests {
  private let folder = try! TemporaryFolder()

  @Test func theSummaryHasWhatCounts() throws {
    var page = try ExamplePage.make(sounds: folder.url)
    page.coverage = "All 22 cells ran."
    page.sections[0].tables[0].isInSummary = true
    page.headlines[0].change = "+1 cent | worse"
    let text = try ReportMarkdown().render(page)
    #expect(text.hasPrefix("# Delay line over window and crossfade\n"))
    #expect(text.contains("**✓ Good.** A window of 40 ms"))
    #expect(
      text.contains(#"| median pitch error | 6.40 cents |  | 5.10–8.00 | 6 | +1 cent \| worse |"#))
    #expect(text.contains("missing: no oracle for recorded voices"))
    #expect(text.contains("All 22 cells ran."))
    #expect(text.contains("## Best settings\n\n| voice | window, ms |"))
    #expect(text.contains("| --- | ---: |"))
    #expect(!text.contains("<script>") && text.contains("&lt;script&gt;"))
    #expect(text.contains("`choir-eval report demo`"))
  }

  @Test func aTableNotAskedForAndAnEndlessOneAreShort() throws {
    var page = try ExamplePage.make(sounds: folder.url)
    #expect(try !ReportMarkdown().render(page).contains("Best settings"))
    var table = Table(
      id: "long", title: "Long", columns: [.number("n", "n", style: .setting)],
      rows: (0..<25).map { [.amount(Amount(Double($0)))] })
    table.isInSummary = true
    page.sections[0].tables = [table]
    let text = try ReportMarkdown().render(page)
    #expect(text.contains("| 9 |") && !text.contains("| 10 |"))
    #expect(text.contains("15 further rows."))
  }
}
