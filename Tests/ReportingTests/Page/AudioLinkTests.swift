import DSP
import Foundation
import TestSupport
import Testing

@testable import Reporting

/// Links that play: in tables and over drawings.
@Suite struct HearingTests {
  private static let sounds = ["input", "short", "long"].map {
    Sound($0, path: $0, made: Signal(Array(repeating: 0.1, count: 4800), sampleRateHz: 48_000))
  }

  private func page(_ audioLink: AudioLink) -> ReportPage {
    let clip = Clip(id: "front", title: "Front", sounds: Self.sounds)
    let trade = TradePlot(
      x: Axis("latency", unit: "ms", scale: .logarithmic), y: Axis("error", unit: "cents"),
      points: [
        .init(name: "short", x: 5, y: 9, role: .front, audioLink: audioLink),
        .init(name: "hidden", x: 5.01, y: 9, role: .dominated, audioLink: audioLink),
        .init(
          name: "long", x: 40, y: 3, role: .recommended,
          audioLink: AudioLink(clip: "front", sound: 2)),
      ])
    let table = Table(
      id: "t", title: "T", columns: [.text("a", "a")], rows: [[.heard(.text("short"), audioLink)]])
    var page = ReportPage(
      title: "t", verdict: PageVerdict(.good, "s"),
      sections: [
        Section(
          id: "s", title: "S",
          drawings: [
            Drawing(
              id: "trade", title: "T", shows: "s", omits: "", command: "c", plot: trade,
              clip: clip)
          ], tables: [table])
      ], command: "c")
    var elsewhere = table
    elsewhere.id = "u"
    page.subpages = [
      Subpage(id: "more", title: "M", sections: [Section(id: "m", title: "M", tables: [elsewhere])])
    ]
    return page
  }

  private func write(_ audioLink: AudioLink, audioBudgetBytes: Int = 1_000_000) throws -> (
    String, behind: String
  ) {
    let folder = try TemporaryFolder()
    let report = folder.url.appendingPathComponent("r")
    try ReportWriter(audioBudgetBytes: audioBudgetBytes).write(page(audioLink), to: report)
    return (
      try String(contentsOf: report.appendingPathComponent("index.html"), encoding: .utf8),
      try String(contentsOf: report.appendingPathComponent("more.html"), encoding: .utf8)
    )
  }

  @Test func aLinkSaysWhichSoundAndWhichPart() throws {
    let (html, behind) = try write(AudioLink(clip: "front", sound: 1, partS: 0.02...0.08))
    let part = "data-from-s=\"0.020\" data-to-s=\"0.080\">short</a>"
    #expect(html.contains("<a href=\"#front\" data-plays=\"front\" data-source=\"1\" \(part)"))
    // A link from another page leads to the player only.
    #expect(behind.contains("<a href=\"index.html#front\" data-plays=\"front\""))
  }

  /// Two points too near for a finger have one place to press, in each of two sizes.
  @Test func pointsOfADrawingCanBePressed() throws {
    let (html, _) = try write(AudioLink(clip: "front", sound: 1))
    #expect(html.matches(of: /class="spot"/).count == 4)
    #expect(html.matches(of: /aria-label="Listen to short"/).count == 2)
    #expect(!html.contains("Listen to hidden"))
    // 40 ms is the last of the data, 4 % of whose ratio is left on either side: by hand, from
    // margins of 52 and 20 of 760 pixels, at 52 + 688 * (1.04 / 1.08) = 714.5 of them.
    let long = try #require(
      html.firstMatch(of: /left:([0-9.]+)%;top:([0-9.]+)%" title="long"/))
    let percent = try #require(Double(long.1))
    #expect(abs(percent - 100 * 714.5 / 760) < 0.1)
  }

  /// Sounds that the budget leaves out are not counted, and not linked.
  @Test func whatIsLeftOutIsNotLinked() throws {
    let (html, _) = try write(AudioLink(clip: "front", sound: 1), audioBudgetBytes: 0)
    #expect(!html.contains("data-plays") && html.contains("short"))
    let (none, _) = try write(AudioLink(clip: "nowhere", sound: 0))
    #expect(!none.contains("data-plays=\"nowhere\""))
  }

  /// The picture beside the verdict is not drawn twice, its player stays in the section, and the button plays.
  @Test func theLeadStandsBesideTheVerdict() throws {
    let folder = try TemporaryFolder()
    var page = page(AudioLink(clip: "front", sound: 1))
    page.lead = .init(
      drawing: "trade", sounds: [("Play the best", AudioLink(clip: "front", sound: 2))])
    page.sections[0].isFolded = true
    try ReportWriter().write(page, to: folder.url.appendingPathComponent("r"))
    let html = try String(
      contentsOf: folder.url.appendingPathComponent("r/index.html"), encoding: .utf8)
    let parts = html.components(separatedBy: "<nav id=\"contents\"")
    try #require(parts.count == 2)
    #expect(parts[0].contains("<figure id=\"trade\">") && !parts[1].contains("<figure"))
    #expect(
      parts[0].contains(
        "<a class=\"listen\" href=\"#front\" data-plays=\"front\" data-source=\"2\">▶ Play the best</a>"
      ))
    #expect(!parts[0].contains("class=\"clip\"") && parts[1].contains("id=\"front\""))
    // The table is folded, the player is not.
    let folded = parts[1].components(separatedBy: "<details class=\"fold\">")
    try #require(folded.count == 2)
    #expect(folded[0].contains("id=\"front\"") && folded[1].contains("<caption>T</caption>"))
  }
}
