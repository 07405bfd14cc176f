import Foundation
import Metrics
import Sweep
import TestSupport
import Testing

@testable import Reporting

@Suite struct WorkbenchPartTests {
  private func facts(_ small: SmallRun, _ run: StoredRun) throws -> RunFacts {
    try RunFacts(run, in: small.store, corpus: small.corpus, command: "choir-eval report small")
  }

  /// The second source is each cell's own value.
  @Test func columnsHaveWhatTheCellsHave() async throws {
    let small = try await SmallRun(listening: true)
    let facts = try facts(small, small.run)
    let bench = try WorkbenchPart(facts: facts, voices: []).workbench()
    let cells = small.run.cells
    #expect(bench.keys == cells.map(\.key) && cells.count == 8)
    let texts = Dictionary(
      uniqueKeysWithValues: bench.columns.map { column in
        (column.title, column.rows.map { column.texts[Int($0)] })
      })
    #expect(texts["recording"] == cells.map(\.recording))
    #expect(texts["windowMs"] == cells.map { $0.settings["windowMs"]!.description })
    #expect(Set(texts["windowMs"]!) == ["10", "20"])
    #expect(bench.metrics.first?.id == "pitch.residual")
    for metric in bench.metrics {
      for (voice, values) in metric.voices {
        for (cell, value) in zip(cells, values) {
          let own = cell.value(metric.id, voice: voice < 0 ? nil : voice)
          if let own {
            #expect(value == Float(own), "\(metric.id)")
          } else {
            #expect(value.isNaN && Int(value.bitPattern & 0x3F_FFFF) < metric.reasons.count)
          }
        }
      }
    }
    // No offset is best; formants that stay where they are have a ratio of 1.
    let best = ["dc.offset": 0.0, "formant.ratio": 1]
    #expect(bench.metrics.contains { $0.id == "dc.offset" })
    for metric in bench.metrics {
      if let ideal = best[metric.id] { #expect(metric.ideal == ideal, "\(metric.id)") }
    }
    #expect(bench.voices == ["+4"])
    // The vowel is listened to, under four settings.
    #expect(
      bench.lanes.map(\.row).map { cells[$0].recording } == Array(repeating: "vowel", count: 4))
    let voices = try #require(try bench.lanes.first?.voices())
    #expect(voices.count == 1 && voices[0].name == "+4" && voices[0].targetHz.contains { $0 > 0 })
  }

  @Test func aFailedCellHasItsReason() async throws {
    let small = try await SmallRun()
    var cells = small.run.cells
    cells[0].outcome = .failed("it crashed")
    let values = CellValues(of: "cpu.realtime_factor", in: cells)
    let value = try #require(values.voices.first?.values[0])
    #expect(values.reasons[Int(value.bitPattern & 0x3F_FFFF)] == "missing: it crashed")
    #expect(values.voices.allSatisfy { !$0.values[1].isNaN })
  }
}
