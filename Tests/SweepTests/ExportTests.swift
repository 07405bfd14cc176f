import Foundation
import SwiftCSV
import Testing

@testable import Corpus
@testable import Metrics
@testable import Subjects
@testable import Sweep

/// The exported records hold all measurements.
@Suite struct ExportTests {
  private static func result(_ key: String, _ outcome: CellResult.Outcome) -> FinishedCell {
    FinishedCell(
      result: CellResult(
        key: key, recording: "alto, \"low\"", kind: "sung",
        score: Score(id: "third", intervalsSemitones: [4]), subject: "reference",
        settings: ["engine": .text("psola"), "windowMs": .number(40)], sampleRateHz: 48_000,
        outcome: outcome), traces: [])
  }

  @Test func everyNumberIsARecord() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("export-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try ResultStore(folder.appendingPathComponent("results.sqlite"))
    let measured = Measurements([
      "pitch.abs_error": [.value(0.1, voice: 0, count: 17)],
      "latency.onset": [.undefined(.tooFewOnsets, "only 2 onsets, of 3\nneeded")],
    ])
    try store.save(Self.result("a", .measured(measured)))
    try store.save(Self.result("b", .failed("it crashed")))
    try store.write { database in
      try database.execute(sql: "INSERT INTO run VALUES ('r', '{}', '2026', NULL, NULL)")
      try database.execute(sql: "INSERT INTO runCell VALUES ('r', 0, 'a'), ('r', 1, 'b')")
    }
    var text = ""
    try store.exportCSV { text += $0 }
    // An independent parser reads the text.
    let rows = try CSV<Named>(string: text).rows
    #expect(rows.count == 3)
    #expect(rows.allSatisfy { $0["recording"] == "alto, \"low\"" && $0["windowMs"] == "40" })
    #expect(rows[0]["metric"] == "latency.onset" && rows[0]["value"] == "")
    #expect(rows[0]["undefined"] == "only 2 onsets, of 3\nneeded")
    #expect(rows[1]["metric"] == "pitch.abs_error" && rows[1]["value"] == "0.1")
    #expect(rows[1]["voice"] == "0" && rows[1]["count"] == "17" && rows[1]["unit"] == "cents")
    #expect(rows[2]["undefined"] == "failed: it crashed" && rows[2]["metric"] == "")
  }
}
