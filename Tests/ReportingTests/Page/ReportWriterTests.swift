import EvaluationSupport
import Foundation
import FoundationXML
import Platform
import TestSupport
import Testing

@testable import Reporting

@Suite struct ReportWriterTests {
  private let folder = try! TemporaryFolder()

  private func write(_ name: String = "a") throws -> URL {
    try ReportWriter().write(ExamplePage.make(sounds: folder.url), to: folder.file(name))
    return folder.file(name)
  }

  private func text(_ name: String, of report: URL) throws -> String {
    try String(contentsOf: report.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func everyLinkLeadsToAFileOrAnAnchor() throws {
    let report = try write()
    let html = try text("index.html", of: report)
    let links = html.matches(of: /[ :](?:href|src)=["']([^"']*)["']/).map { String($0.1) }
    #expect(links.count > 30)
    for link in links {
      if link.hasPrefix("#") {
        let id = link.dropFirst()
        #expect(html.contains("id=\"\(id)\"") || html.contains("id='\(id)'"), "\(link)")
      } else {
        let path = report.appendingPathComponent(link).path
        #expect(FileManager.default.fileExists(atPath: path), "\(link)")
      }
    }
  }

  @Test func everyFileButTheTwinsIsLinked() throws {
    let report = try write()
    let html = try text("index.html", of: report)
    for file in try folder.files(below: "a")
    where !["index.html", "files.tsv"].contains(file) && !file.hasSuffix("-narrow.svg") {
      #expect(html.contains("\"\(file)\""), "\(file)")
    }
  }

  @Test func subpagesAreWrittenLinkedAndShort() throws {
    var page = try ExamplePage.make(sounds: folder.url)
    var table = Table(
      id: "many", title: "Many", columns: [.text("n", "n")],
      rows: (0..<100).map { [.linked(.text("row \($0)"), to: "index.html#verdict")] })
    table.maxShown = 3
    page.subpages = [
      Subpage(
        id: "behind", title: "Behind & <b>",
        sections: [Section(id: "s", title: "S", tables: [table])])
    ]
    let report = folder.file("a")
    try ReportWriter().write(page, to: report)
    #expect(try text("index.html", of: report).contains("href=\"behind.html\""))
    let html = try text("behind.html", of: report)
    #expect(
      html.contains("<h1>Behind &amp; &lt;b&gt;</h1>") && html.contains("href=\"index.html\""))
    #expect(html.contains(">row 2</a>") && !html.contains("row 3"))
    #expect(html.contains("<a href=\"index.html#verdict\">row 0</a>"))
    #expect(html.contains("97 further rows in the file."))
    // The file has a header and all hundred rows.
    #expect(try text("tables/many.csv", of: report).split(separator: "\r\n").count == 101)
    page.subpages[0].id = "index"
    expectRefusal("the id \"index\" names two parts") {
      try ReportWriter().write(page, to: report)
    }
  }

  @Test func nothingNeedsTheNetwork() throws {
    let report = try write()
    let scripts = try folder.files(below: "a/scripts").map { "scripts/\($0)" }
    #expect(scripts.count == 6)
    for name in ["index.html", "report.css"] + scripts {
      let text = try text(name, of: report)
      #expect(!text.contains("http") && !text.contains("url(") && !text.contains("@import"))
    }
    for name in try folder.files(below: "a") where name.hasSuffix(".svg") {
      // Name spaces are names, not addresses.
      let svg = try text(name, of: report).replacing(/xmlns(:xlink)?="[^"]*"/, with: "")
      #expect(!svg.contains("http"), "\(name)")
    }
  }

  @Test func drawingsAreWellFormedAndKeepTextAsText() throws {
    let report = try write()
    let names = try folder.files(below: "a").filter { $0.hasSuffix(".svg") }
    #expect(names.count == 10)  // five figures in two sizes
    for name in names {
      let document = try XMLDocument(data: Data(contentsOf: report.appendingPathComponent(name)))
      #expect(document.rootElement()?.name == "svg", "\(name)")
    }
    let drawing = try text("figures/latency-window.svg", of: report)
    for words in ["latency, ms", "window, ms", "crossfade", "40 ms", "(window + crossfade) / 2"] {
      #expect(drawing.contains(">\(words)<") || drawing.contains("\(words)</text>"), "\(words)")
    }
  }

  @Test func namesAreUniqueOnThePage() throws {
    let html = try text("index.html", of: write())
    let ids = html.matches(of: /[ ]id=["']([^"']+)["']/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
  }

  /// Every colour in a drawing has a counterpart for dark screens.
  @Test func everyColourChangesWithTheScheme() throws {
    let report = try write()
    let drawings = try folder.files(below: "a").filter { $0.hasSuffix(".svg") }
      .map { try text($0, of: report).components(separatedBy: "</style>")[1] }.joined()
    let used = Set(
      drawings.matches(of: /(?:stroke|fill|color)\s*=\s*["'](#\w+)["']/).map { String($0.1) })
    #expect(used.count > 10)
    #expect(used.isSubset(of: PlotPalette.all.map(\.light)))
    #expect(!drawings.contains("'black'") && !drawings.contains("rgb("))
  }

  @Test func hostileTextStaysText() throws {
    var page = try ExamplePage.make(sounds: folder.url)
    let hostile = ExamplePage.hostile
    (page.title, page.command) = (hostile, hostile)
    page.sections[0].drawings[0].title = hostile
    page.sections[0].drawings[0].shows = hostile
    page.sections[0].clips = [
      Clip(id: "c", title: hostile, sounds: page.sections[1].clips[0].sounds)
    ]
    guard var curve = page.sections[0].drawings[0].plot as? CurvePlot else { return }
    curve.series[0].name = hostile
    curve.seriesTitle = hostile
    page.sections[0].drawings[0].plot = curve
    let report = folder.file("a")
    try ReportWriter().write(page, to: report)
    let html = try text("index.html", of: report)
    #expect(!html.contains("<script>") && html.contains("&lt;script&gt;"))
    #expect(html.contains("{{title}}"))  // shown, not interpreted
    _ = try XMLDocument(
      data: Data(contentsOf: report.appendingPathComponent("figures/latency-window.svg")))
  }

  @Test func whatHasNoValueSaysSoInWordsAndIsNullInJSON() throws {
    let report = try write()
    let html = try text("index.html", of: report)
    #expect(html.contains("title=\"missing: no voiced frame\">missing<sup>b</sup>"))
    #expect(html.contains("<sup>b</sup> missing: no voiced frame"))
    #expect(html.contains("missing: no oracle for recorded voices"))
    #expect(!html.lowercased().contains(/\bnan\b/))

    let data = try Data(contentsOf: report.appendingPathComponent("report.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["schema"] as? String == "choir-eval.report/1")
    let headlines = try #require(json["headlines"] as? [[String: Any]])
    let missing = try #require(headlines[3]["value"] as? [String: Any])
    #expect(missing["value"] is NSNull)
    #expect(missing["undefined"] as? String == "no oracle for recorded voices")
    #expect(headlines[0]["value"] as? Double == 6.4)
  }

  @Test func twoRunsGiveTheSameBytes() throws {
    let (first, second) = (try write(), try write("b"))
    let names = try folder.files(below: "a")
    #expect(names.count > 25)
    #expect(try folder.files(below: "b") == names)
    for name in names {
      #expect(
        try Data(contentsOf: first.appendingPathComponent(name))
          == Data(contentsOf: second.appendingPathComponent(name)), "\(name)")
    }
  }

  @Test func aScriptDrawsItsFigureAgain() throws {
    let figures = try write().appendingPathComponent("figures")
    let drawing = figures.appendingPathComponent("lanes.svg")
    try FileManager.default.removeItem(at: drawing)
    try Gnuplot().run("lanes.gp", in: figures)
    #expect(try String(contentsOf: drawing, encoding: .utf8).contains("pitch, Hz"))
  }

  @Test func aFailureKeepsTheEarlierReportAndLeavesNothingElse() throws {
    let report = try write()
    let before = try Data(contentsOf: report.appendingPathComponent("index.html"))
    var page = try ExamplePage.make(sounds: folder.url)
    page.title = "changed"
    #expect(throws: Refusal.gnuplotMissing("no-such-gnuplot")) {
      try ReportWriter(gnuplot: "no-such-gnuplot").write(page, to: report)
    }
    page.sections[1].clips[0].sounds[0].path = "/nowhere.wav"
    expectRefusal("clip sung-phrase has no sound at /nowhere.wav") {
      try ReportWriter().write(page, to: report)
    }
    #expect(try Data(contentsOf: report.appendingPathComponent("index.html")) == before)
    #expect(folder.contents == ["a", "input.wav", "mix.wav"])
  }

  @Test func anEarlierReportIsReplaced() throws {
    let report = try write()
    var page = try ExamplePage.make(sounds: folder.url)
    page.files["recipe-1.yaml"] = "a file of the report"
    try ReportWriter().write(page, to: report)
    #expect(try folder.files(below: "a").contains { $0.hasSuffix("recipe-1.yaml") })
    _ = try write()
    #expect(try !folder.files(below: "a").contains { $0.hasSuffix("recipe-1.yaml") })
  }

  /// Notes, a file in a folder of the report, and a recipe with the user's remarks.
  @Test(arguments: ["notes.txt", "audio/mine/take.wav", "tables/settings.csv", "index.html"])
  func filesOfTheUserAreKept(name: String) throws {
    let report = try write()
    let file = report.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    expectRefusal("holds files of your own, which a new report would replace: \(name)") {
      _ = try write()
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    try FileManager.default.removeItem(at: file)
  }

  @Test func aFolderOfSomethingElseIsLeftAlone() throws {
    let page = try ExamplePage.make(sounds: folder.url)  // writes sounds there: not a report
    expectRefusal("holds something other than a report") {
      try ReportWriter().write(page, to: folder.url)
    }
    #expect(try folder.files(below: "") == ["input.wav", "mix.wav"])
  }

  @Test(arguments: ["../up", "", "Latency", "a b"])
  func anIdThatIsNoFileNameIsRefused(id: String) throws {
    var page = try ExamplePage.make(sounds: folder.url)
    page.sections[0].drawings[0].id = id
    expectRefusal("the id \"\(id)\" cannot name a file") {
      try ReportWriter().write(page, to: folder.file("a"))
    }
  }

  @Test func twoPartsOfOneIdAreRefused() throws {
    var page = try ExamplePage.make(sounds: folder.url)
    page.sections[0].drawings[0].id = "lanes"
    expectRefusal("the id \"lanes\" names two parts") {
      try ReportWriter().write(page, to: folder.file("a"))
    }
  }
}
