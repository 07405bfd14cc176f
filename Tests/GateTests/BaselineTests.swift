import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Gate

@Suite struct BaselineTests {
  private let scratch = try! TemporaryFolder()

  private func written(_ baseline: Baseline) throws -> URL {
    let url = scratch.file("smoke.tsv")
    try baseline.write(to: url)
    return url
  }

  @Test func writingAndReadingKeepsEverything() throws {
    // A third has no short decimal, so every digit must be kept.
    let run = GateSamples.run { recording, _, _ in Double(recording) / 3 }
    let baseline = try GateSamples.baseline(run)
    let again = try Baseline(reading: written(baseline))
    #expect(again.provenance == baseline.provenance)
    #expect(again.cells.map(\.figures) == baseline.cells.map(\.figures))
    #expect(again.cells.map(\.address) == baseline.cells.map(\.address))
    #expect(Set(again.rows.keys) == Set(baseline.rows.keys))
    for (key, row) in again.rows {
      let original = try #require(baseline.rows[key])
      // The reviewed file shows five digits.
      #expect(abs(row.value - original.value) <= 1e-4 * original.value)
      #expect((row.count, row.reason) == (6, "first"))
      #expect((row.unit, row.version) == (original.unit, original.version))
    }
    // Writing it again gives the same text.
    #expect(again.cellsText == baseline.cellsText)
    #expect(again.figuresText(cells: "x") == baseline.figuresText(cells: "x"))
  }

  @Test func theOrderIsStable() throws {
    var run = GateSamples.run()
    let baseline = try GateSamples.baseline(run)
    run.cells.reverse()
    let other = try GateSamples.baseline(run)
    #expect(other.cellsText == baseline.cellsText)
    #expect(other.figuresText(cells: "") == baseline.figuresText(cells: ""))
  }

  /// A changed value changes one line of figures, and one line of cells for each recording.
  @Test func aChangeIsASmallDifference() throws {
    let before = try GateSamples.baseline()
    let run = GateSamples.run { _, metric, voice in
      metric == "pitch.abs_error" && voice == "+4" ? 3 : 0
    }
    let after = try Acceptance(
      of: run, over: before, gate: GateSamples.gate, all: false, reason: "agreed"
    ).baseline
    func changed(_ a: String, _ b: String) -> Int {
      zip(a.components(separatedBy: "\n"), b.components(separatedBy: "\n")).count { $0 != $1 }
    }
    #expect(changed(before.cellsText, after.cellsText) == 6)
    // The digest of the lines, and the line itself.
    #expect(changed(before.figuresText(cells: ""), after.figuresText(cells: "")) == 2)
  }

  @Test func editsByHandAreRefused() throws {
    let url = try written(GateSamples.baseline())
    for file in [url, Baseline.cellsFile(of: url)] {
      let text = try String(contentsOf: file, encoding: .utf8)
      // One digit of a value changes.
      let edited = text.replacing("5.2", with: "5.9", maxReplacements: 1)
      #expect(edited != text)
      try edited.write(to: file, atomically: true, encoding: .utf8)
      expectError("edited by hand") { try Baseline(reading: url) }
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    _ = try Baseline(reading: url)
  }

  @Test func errorsNameFileAndRemedy() throws {
    let url = scratch.file("nowhere.tsv")
    #expect(throws: Refusal.self) { try Baseline(reading: url) }
    let other = try scratch.write("a,b\n1,2\n", to: "other.tsv")
    expectError("other.tsv:1") { try Baseline(reading: other) }
  }

  @Test func figuresAreFoundByLine() throws {
    let baseline = try GateSamples.baseline()
    let url = try written(baseline)
    let lines = Baseline.lines(of: url)
    let text = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    #expect(lines.count == baseline.rows.count)
    for (key, line) in lines { #expect(text[line - 1].hasPrefix(key.figure.metric)) }
  }
}
