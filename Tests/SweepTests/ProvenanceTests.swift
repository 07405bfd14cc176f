import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Subjects
@testable import Sweep

/// Cells keep their provenance when subject and toolkit change.
@Suite struct ProvenanceTests {
  @Test func cellsKeepTheirProvenance() async throws {
    let scratch = try TemporaryFolder()
    let store = try ResultStore(scratch.file("results.sqlite"))
    let sweep = try Sweep(
      Plan.decoded(buzzPlan.replacing("[10, 20, 30, 40]", with: "[10]")), corpus: scratch.corpus(),
      store: store)
    _ = try await sweep.run(jobs: 1)
    let cell = try #require(store.run().cells.first)
    #expect(cell.provenance == .here(ReferenceSubject()))
    // A merge copies it into another store.
    let other = try ResultStore(scratch.file("other.sqlite"))
    _ = try other.merge(store.url)
    #expect(try other.run().cells.first?.provenance == cell.provenance)
    // The law is the reference's; another program may use the same names for other settings.
    #expect(try store.run().summaries().first?.predictedLatencyMs == 7.5)
    var run = try store.run()
    run.cells[0].subject = "mine"
    #expect(run.summaries().first?.predictedLatencyMs == nil)
  }

  @Test func changesAreListed() {
    func cell(_ version: String, _ commit: String) -> CellResult {
      var cell = CellResult(
        key: "k", recording: "r", kind: "sung", score: Score(id: "s", intervalsSemitones: [4]),
        subject: "mine", settings: [:], sampleRateHz: 48_000, outcome: .failed(""))
      cell.provenance = Provenance(
        subjectVersion: version,
        toolkit: Toolkit(version: "1", commit: commit, kind: "release build", digest: commit),
        machine: "here")
      return cell
    }
    let before = ProvenanceSummary(of: [cell("1", "a"), cell("1", "a"), cell("2", "a")])
    let after = ProvenanceSummary(of: [cell("2", "b")])
    #expect(
      before.changes(to: after) == [
        "mine version: 1 (2 cells); 2 (1 cells) → 2",
        "measured by: choir-eval 1 (commit a, release build) → "
          + "choir-eval 1 (commit b, release build)",
      ])
    #expect(before.changes(to: before).isEmpty)
  }
}
