import Foundation
import Metrics
import Sweep
import Testing

@testable import Pages
@testable import Reporting

@Suite struct PredictionSectionTests {
  /// Cells of twelve recordings at four settings, whose pitch error is a product of one factor for the
  /// recording and one for the setting; but one cell is fifty times worse.
  private func cells(like small: SmallRun, worse key: String) -> [CellResult] {
    let settings = small.run.cells.filter { $0.kind != "probe" }
    return (0..<12).flatMap { recording in
      settings.enumerated().map { setting, cell in
        var cell = cell
        cell.recording = "recording-\(recording)"
        cell.key = String(format: "%02d-%d", recording, setting)
        let error = 4 * exp(0.1 * Double(recording * 5 % 12)) * exp(0.4 * Double(setting)) - 1
        cell.outcome = .measured(
          Measurements([
            "pitch.residual": [
              .value(cell.key == key ? 50 * error : error, voice: 0, count: 1)
            ]
          ]))
        return cell
      }
    }
  }

  /// Every third cell, in the order of their keys, is predicted; the worse one is among them.
  @Test func aCellOutsideItsIntervalComesFirst() async throws {
    let small = try await SmallRun()
    defer { try? FileManager.default.removeItem(at: small.folder) }
    var run = small.run
    run.cells = cells(like: small, worse: "05-0")
    run.plannedCells = run.cells.count
    let facts = try RunFacts(run, in: small.store, corpus: small.corpus, command: "c")
    let section = try #require(
      try PredictionSection(facts: facts, addresses: CellAddresses()).section())
    let summary = try #require(section.tables.first { $0.id == "predicted-figures" })
    #expect(summary.rows.count == 1 && summary.rows[0][1] == .amount(Amount(16.0)))
    let surprises = try #require(section.tables.first { $0.id == "surprises" })
    let worst = 4 * exp(0.1) * 50 - 50
    guard case .amount(let measured) = surprises.rows[0][4] else {
      Issue.record("the measured value is no number")
      return
    }
    #expect(surprises.rows[0][0] == .text("recording-5"))
    #expect(abs(try #require(measured.value) - worst) < 1e-9)
    #expect(section.drawings.map(\.id) == ["predicted-pitch"])
  }
}
