import DSP
import Foundation
import TestSupport
import Testing

@testable import Reporting

@Suite struct WorkbenchTests {
  private let folder = try! TemporaryFolder()

  /// Two cells of a recording with a hostile name; the first has a sound.
  private func page() throws -> ReportPage {
    var page = try ExamplePage.make(sounds: folder.url)
    let sound = page.sections[1].clips[0].sounds[1]
    var recording = Workbench.Column("recording", "recording")
    recording.append(ExamplePage.hostile)
    recording.append("plain")
    let metric = Workbench.Metric(
      id: "pitch.residual", unit: "cents", title: "distance", better: "lower", ideal: 0,
      voices: [(voice: -1, values: [1.5, Workbench.missing(reason: 1)])],
      reasons: ["not measured", "missing: silent"])
    page.workbench = Workbench(
      keys: ["0123456789abcdef", "fedcba9876543210"], columns: [recording], metrics: [metric],
      voices: [ExamplePage.hostile],
      lanes: [
        Workbench.Lane(row: 0, sounds: [sound]) {
          [
            .init(
              name: ExamplePage.hostile, hopS: 0.005, targetHz: [220, 0], measuredHz: [221, 0])
          ]
        }
      ], options: "--run \(ExamplePage.hostile)")
    return page
  }

  private func written(_ name: String = "a", budgetBytes: Int = 10_000_000) throws -> URL {
    let report = folder.file(name)
    try ReportWriter(audioBudgetBytes: budgetBytes).write(page(), to: report)
    return report
  }

  private func text(_ name: String, of report: URL) throws -> String {
    try String(contentsOf: report.appendingPathComponent(name), encoding: .utf8)
  }

  /// The JSON that a data script delivers.
  private func delivered(_ name: String, by report: URL) throws -> Any {
    let script = try text("data/\(name).js", of: report)
    #expect(script.hasPrefix("deliver(\"\(name)\", ") && script.hasSuffix(")\n"))
    let json = script.dropFirst("deliver(\"\(name)\", ".count).dropLast(2)
    return try JSONSerialization.jsonObject(with: Data(json.utf8))
  }

  @Test func hostileNamesStayText() throws {
    let report = try written()
    let html = try text("workbench.html", of: report)
    #expect(!html.contains("<script>") && !html.contains("alert(\"1\")"))
    #expect(html.contains("&lt;script&gt;"))
    let cells = try #require(try delivered("cells", by: report) as? [String: Any])
    let columns = try #require(cells["columns"] as? [[String: Any]])
    #expect(columns[0]["texts"] as? [String] == [ExamplePage.hostile, "plain"])
  }

  /// Written out by hand: the first 12 digits as 6 bytes each, and numbers of one byte.
  @Test func cellsAreColumnsOfBytes() throws {
    let report = try written()
    let cells = try #require(try delivered("cells", by: report) as? [String: Any])
    let keys = try #require((cells["keys"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(
      Array(keys) == [0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xFE, 0xDC, 0xBA, 0x98, 0x76, 0x54])
    let columns = try #require(cells["columns"] as? [[String: Any]])
    let rows = try #require((columns[0]["rows"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(Array(rows) == [0, 1] && columns[0]["width"] as? Int == 1)
  }

  /// A quiet NaN of IEEE 754 has 22 free bits below its highest fraction bit: 0x7fc00001 carries 1.
  @Test func missingValuesCarryTheirReason() throws {
    let report = try written()
    let values = try #require(try delivered("values-0", by: report) as? [String: Any])
    #expect(values["reasons"] as? [String] == ["not measured", "missing: silent"])
    let voices = try #require(values["voices"] as? [[String: Any]])
    let bytes = try #require((voices[0]["numbers"] as? String).flatMap { Data(base64Encoded: $0) })
    // 1.5 is 0x3fc00000; both are little-endian.
    #expect(Array(bytes) == [0, 0, 0xC0, 0x3F, 1, 0, 0xC0, 0x7F])
  }

  @Test func lanesNeedASoundInTheReport() throws {
    let report = try written()
    let cells = try #require(try delivered("cells", by: report) as? [String: Any])
    let lanes = try #require(cells["lanes"] as? [[String: Any]])
    #expect(lanes.count == 1 && lanes[0]["name"] as? String == "lanes-0123456789ab")
    let sounds = try #require(lanes[0]["sounds"] as? [[String: Any]])
    let file = try #require(sounds[0]["file"] as? String)
    #expect(
      FileManager.default.fileExists(atPath: report.appendingPathComponent(file).path))
    let traces = try #require(try delivered("lanes-0123456789ab", by: report) as? [[String: Any]])
    #expect(traces[0]["name"] as? String == ExamplePage.hostile)
    #expect(
      try text("index.html", of: report).contains("workbench.html#cell=0123456789ab\""))

    let silent = try written("silent", budgetBytes: 0)
    let none = try #require(try delivered("cells", by: silent) as? [String: Any])
    #expect((none["lanes"] as? [Any])?.isEmpty == true)
  }

  @Test func theScriptsOfThePageAreThere() throws {
    let report = try written()
    let html = try text("workbench.html", of: report)
    let files = html.matches(of: /src="([^"]+)"/).map { String($0.1) }
    #expect(files.count >= 4)
    for file in files {
      let script = try text(file, of: report)
      #expect(!script.isEmpty && !script.contains("http"), "\(file)")
    }
  }
}
