import EvaluationSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Sweep

/// Sweeps with a time limit, an interruption or careful timing.
@Suite struct SweepBoundsTests {
  private let scratch = try! TemporaryFolder()

  private func sweep(_ more: String = "") throws -> (Sweep, ResultStore) {
    let store = try ResultStore(scratch.file("results.sqlite"))
    return (try Sweep(Plan.decoded(buzzPlan + more), corpus: scratch.corpus(), store: store), store)
  }

  @Test func aTimeLimitLeavesCellsForTheNextRun() async throws {
    let (first, store) = try sweep("\nlimitSeconds: 0.001")
    let outcome = try await first.run(jobs: 2)
    #expect(outcome.end == .outOfTime && outcome.computed == 0 && outcome.left.count == 4)
    #expect(try store.run().finishedAt == nil && store.run().plannedCells == 4)
    let (second, _) = try sweep()
    #expect(try await second.run(jobs: 2).end == .complete)
  }

  /// An interrupted run waits for the cells in flight.
  @Test func manyJobsStartFewCellsAtOnce() {
    let most = 2 * ProcessInfo.processInfo.activeProcessorCount
    #expect(Sweep.inFlight(1024) == most)
    #expect(Sweep.inFlight(1) == 1)
    #expect(Sweep.inFlight(0) == 1)
  }

  @Test func aStopKeepsRunningCells() async throws {
    let (first, store) = try sweep()
    let stop = StopSignal()
    let outcome = try await first.run(jobs: 1, stop: stop) { event in
      if case .started = event { stop.raise() }
    }
    #expect(outcome.end == .stopped && outcome.computed == 1 && outcome.left.count == 3)
    #expect(try store.run().cells.count == 1)
  }

  @Test func carefulCostIsTheMedianOfItsRounds() async throws {
    let (first, store) = try sweep("\ncost: careful")
    _ = try await first.run(jobs: 2)
    #expect(try store.costRounds().values.allSatisfy { $0 == Sweep.costRounds })
    #expect(try store.costRounds().count == 4)
    // The buzz lasts half a second.
    for cell in try store.run().cells {
      let times = try await store.queue.read { database in
        try Double.fetchAll(
          database,
          sql: "SELECT cpuSeconds FROM costRound JOIN cell ON id = cell WHERE key = ?",
          arguments: [cell.key])
      }
      #expect(cell.value("cpu.realtime_factor") == times.sorted()[2] / 0.5)
    }
    // A second run times nothing again.
    let (again, _) = try sweep("\ncost: careful")
    _ = try await again.run(jobs: 1) { event in
      if case .costBegan = event { Issue.record("timed again") }
    }
  }

  @Test func theForecastUsesStoredCells() async throws {
    let (first, store) = try sweep()
    let before = try await first.forecast(jobs: 1)
    #expect(before.pending == 4 && before.seconds > 0 && before.bytes > 0)
    #expect(before.basis.hasSuffix(" measured for this forecast"))
    #expect(try store.size().cells == 0)
    _ = try await first.run(jobs: 1)
    let after = try await first.forecast(jobs: 1)
    #expect(after.pending == 0 && after.seconds == 0)
    let (wider, _) = try sweep()
    let plan = try Plan.decoded(
      buzzPlan.replacing("[10, 20, 30, 40]", with: "[10, 20, 30, 40, 50, 60, 70, 80]"))
    let more = try await Sweep(plan, corpus: wider.corpus, store: store).forecast(jobs: 1)
    #expect(more.pending == 4 && more.basis == "4 cells in the store")
    // Equally many cells of the same recording are pending and stored.
    let spent = try await store.queue.read {
      try Double.fetchOne($0, sql: "SELECT sum(seconds) FROM cell")!
    }
    #expect(abs(more.seconds - spent) < 1e-6)
  }

  /// The subject gets the sound at 44.1 kHz, and everything is measured at that rate.
  @Test func soundHasTheRequestedRate() async throws {
    let (_, store) = try sweep()
    let plan = try Plan.decoded(
      smallPlan.replacing("windowMs: [10, 20]", with: "windowMs: [20]\n  rateHz: [44100, 96000]"))
    let sweep = try Sweep(plan, corpus: scratch.corpus(), store: store)
    #expect(try await sweep.run(jobs: 2).failed == [])
    let cells = try store.run().cells
    #expect(Set(cells.map(\.sampleRateHz)) == [44_100, 96_000])
    for cell in cells where cell.recording == "probe" {
      // The delay is (20 + 5) / 2 ms at any rate; resampled impulses are a few samples wide.
      #expect(abs(cell.value("latency.impulse", voice: 0)! - 12.5) < 0.5)
    }
  }
}
