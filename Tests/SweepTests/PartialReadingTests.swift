import EvaluationSupport
import Foundation
import TestSupport
import Testing

@testable import Metrics
@testable import Sweep

/// A large run is read in parts, which must equal the whole.
@Suite struct PartialReadingTests {
  @Test func partsEqualTheWhole() async throws {
    let scratch = try TemporaryFolder()
    let plan = try Plan(reading: scratch.write(smallPlan, to: "small.yaml"))
    let store = try ResultStore(scratch.file("results.sqlite"))
    _ = try await Sweep(plan, corpus: scratch.corpus(), store: store).run(jobs: 1)
    let whole = try store.run(named: "small")
    let wanted = ["pitch.abs_error", "latency.reported"]
    let part = try store.run(named: "small", metrics: wanted)
    #expect(part.cells.map(\.key) == whole.cells.map(\.key))
    for (few, all) in zip(part.cells, whole.cells) {
      #expect(Set(few.measurements.keys) == Set(wanted).intersection(all.measurements.keys))
      for metric in wanted {
        #expect(few.measurements(of: metric) == all.measurements[metric])
      }
    }
    let last = try store.detailed(Array(part.cells.suffix(1)))
    #expect(last.map(\.key) == whole.cells.suffix(1).map(\.key))
    #expect(last[0].measurements == whole.cells.last?.measurements)
    #expect(try store.undefinedCounts(ofRun: "small") == whole.undefinedCounts())
    #expect(!whole.undefinedCounts().isEmpty)
  }

  /// One code is one row, whatever numbers its details hold.
  @Test func reasonsAreCountedByTheirCode() {
    var counter = UndefinedCounter()
    func note(_ metric: String, _ code: Undefined.Code, _ detail: String, _ count: Int = 1) {
      counter.note(metric, Undefined(code, detail), isProbe: false, count: count)
    }
    note("pitch.bias", .tooLittleVoice, "only 3 frames have a pitch to compare")
    note("pitch.bias", .tooLittleVoice, "only 17 frames have a pitch to compare", 2)
    note("step.rise", .noNoteMoves, "the score moves no note of this voice", 9)
    // Every run has these two gaps, so they say nothing.
    note("latency.impulse", .probesOnly, "measured on the impulse probe")
    counter.note("pitch.bias", .probe, isProbe: true)
    // Figures that the subject could have given come first, however rare.
    #expect(counter.counts.map(\.count) == [3, 9])
    #expect(counter.counts.map(\.reason.code) == [.tooLittleVoice, .noNoteMoves])
    #expect(counter.counts.map(\.doesNotApply) == [false, true])
  }

  /// Only probes try the contract: its gaps count there and not on voices.
  @Test func gapsOfTheContractAreCountedOnProbes() {
    var counter = UndefinedCounter()
    let hidden = Undefined(.hiddenAllocations, "its allocations are not counted")
    counter.note("contract.allocations", hidden, isProbe: true)
    counter.note(
      "contract.allocations", Undefined(.probesOnly, "tried on probes only"), isProbe: false)
    #expect(
      counter.counts
        == [UndefinedCount(metric: "contract.allocations", reason: hidden, count: 1)])
  }
}
