import Foundation
import Metrics
import TestSupport
import Testing
import Tuning

@testable import Reporting

@Suite struct QualityScaleTests {
  /// Limits copied from the sources that the scale names.
  @Test(
    arguments: [
      (TuneAxis.pitch, [(0, "good"), (10, "good"), (10.1, "fair"), (25, "fair"), (25.1, "poor")]),
      (.missing, [(0, "good"), (1, "good"), (5, "fair"), (15, "poor")]),
      (.tremolo, [(0.8, "good"), (1.2, "fair"), (3, "poor")]),
      (.latency, [(-3, "good"), (10, "good"), (30, "fair"), (31, "poor"), (-31, "poor")]),
      (.formants, [(5, "good"), (8, "fair"), (23.1, "poor")]),
      (
        .intelligibility,
        [(1, "good"), (0.5, "good"), (0.49, "fair"), (0.3, "fair"), (0.25, "poor")]
      ),
      (.cost, [(0.02, "good"), (1, "good"), (9, "fair"), (11, "poor")]),
    ] as [(TuneAxis, [(Double, String)])])
  func gradesFollowTheLimits(axis: TuneAxis, expected: [(Double, String)]) throws {
    let scale = try #require(QualityScale.of(axis))
    #expect(expected.map { scale.grade($0.0).rawValue } == expected.map(\.1))
    #expect(!scale.source.isEmpty && !scale.meaning.isEmpty)
  }

  @Test func thePageSaysGradeLimitsAndSource() throws {
    let folder = try TemporaryFolder()
    var page = try ExamplePage.make(sounds: folder.url)
    page.headlines = [
      Headline("pitch error", 12, unit: "cents", count: 6, scale: .of(.pitch)),
      Headline(
        "latency", .undefined(Undefined(.probesOnly, "measured on the impulse probe")), unit: "ms",
        count: 0,
        scale: .of(.latency)),
    ]
    let report = folder.url.appendingPathComponent("a")
    try ReportWriter().write(page, to: report)
    let html = try String(contentsOf: report.appendingPathComponent("index.html"), encoding: .utf8)
    #expect(html.contains(#"<strong class="grade fair">fair</strong>"#))
    #expect(html.contains("good up to 10 cents, fair up to 25"))
    #expect(html.contains("Larrouy-Maestri 2018"))
    // A missing value has words in place of a grade.
    #expect(html.contains(#"<span class="value absent">doesn&#39;t apply</span>"#))
    #expect(html.contains("<span>measured on the impulse probe</span>"))
    #expect(html.components(separatedBy: "class=\"grade").count == 2)
    let markdown = try ReportMarkdown().render(page)
    #expect(markdown.contains("| fair; good up to 10 cents, fair up to 25 |"))
  }

  /// The documentation has every limit and source of the code.
  @Test func theDocumentationHasTheSameTable() throws {
    let text = try String(contentsOf: Repository.file("docs/reference/report.md"), encoding: .utf8)
    for scale in [TuneAxis.missing, .pitch, .tremolo, .latency, .formants, .intelligibility, .cost]
      .compactMap(
        QualityScale.of)
    {
      let row = "| \(scale.limits) | \(scale.meaning) | \(scale.source) |"
      #expect(text.contains(row), "\(row)")
    }
  }
}
