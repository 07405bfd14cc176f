import EvaluationSupport
import Foundation
import TestSupport
import Testing

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

  @Test func reasonsThatDifferByNumbersAreCountedTogether() {
    var counter = UndefinedCounter()
    counter.note("pitch.bias", "only 3 frames have a pitch to compare", isProbe: false)
    counter.note("pitch.bias", "only 17 frames have a pitch to compare", isProbe: false, count: 2)
    counter.note("step.rise", "the score moves no note of this voice", isProbe: false, count: 9)
    counter.note("latency.impulse", "measured on the impulse probe", isProbe: false)
    counter.note("pitch.bias", "a probe has no voice", isProbe: true)
    // Trouble comes first, even if rare; missing impulses of voices and voices of probes are left
    // out.
    #expect(counter.counts.map(\.count) == [3, 9])
    #expect(counter.counts.map(\.isByNature) == [false, true])
  }
}
