import DSP
import Effects
import Foundation
import Testing

@testable import Cost
@testable import Subjects

/// Asserts the calculations with times and counts, never the times themselves.
@Suite struct CostTests {
  @Test func theSlopeIsThatOfTheLine() throws {
    // y = 3 + 0.25 x with the middle point 0.3 too high, which does not change the slope.
    let points: [(x: Double, y: Double)] = [(1, 3.25), (2, 3.8), (3, 3.75)]
    let slope = try #require(CostProfile.slope(points))
    #expect(abs(slope - 0.25) < 1e-12)
    #expect(CostProfile.slope([(1, 1)]) == nil)
    #expect(CostProfile.slope([]) == nil)
  }

  @Test func countsAreReadFromValgrindsLog() {
    #expect(
      ValgrindCounter.parsed("==1== Collected : 220240357\n", after: "Collected : ") == 220_240_357)
    let said = "==2==   total heap usage: 27,846 allocs, 26,099 frees, 3,378,574 bytes allocated"
    #expect(ValgrindCounter.parsed(said, after: "total heap usage: ") == 27_846)
    #expect(ValgrindCounter.parsed("==3== nothing", after: "Collected : ") == nil)
  }

  @Test func blocksAreCountedAndGoOnOverTheEnd() throws {
    final class Counting: LiveSound {
      var blocks: [Int] = []
      let latencySamples = 0
      func reset() {}
      func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
        blocks.append(input.count)
      }
    }
    let sound = Counting()
    let voice = Signal([Float](repeating: 0, count: 100), sampleRateHz: 48_000)
    let times = BlockTimes(of: sound, hearing: voice, blocks: 7, blockSize: 48)
    #expect(sound.blocks == Array(repeating: 48, count: 7))
    #expect(times.cpuMs.count == 7)
    #expect(times.deadlineMs == 1)
    let spread = try #require(BlockSpread(of: times, pace: .unpaced))
    // Seven blocks are too few for a tail.
    #expect(spread.tail == nil)
    #expect(spread.tailUndefined != nil)
  }

  @Test func theFullPlanHasAllSetsOfUpToThreeEffects() {
    // 20 effects: 1 + 20 + 190 + 1140.
    #expect(TimingPlan.subsets(upTo: 3).count == 1351)
    #expect(Set(TimingPlan.subsets(upTo: 3).map(\.description)).count == 1351)
    let full = TimingPlan(isFull: true)
    #expect(full.groups.count == 16)  // four processes, a live voice and three keys
    #expect(full.groups.allSatisfy { $0.chains.count > 1351 })
  }

  /// Any two effects are together in a larger set.
  @Test func largerSetsCoverPairs() {
    let sets = TimingPlan.covering(strength: 2).map { Set($0.links.map(\.effect)) }
    #expect(sets.allSatisfy { $0.count > 2 })
    for a in EffectCatalog.names {
      for b in EffectCatalog.names where a < b {
        #expect(sets.contains { $0.contains(a) && $0.contains(b) }, "\(a) and \(b)")
      }
    }
  }

  @Test func aRowAddsUpItsParts() throws {
    let run = try TimingRun(TimingPlan(isFull: false))
    var count = 0
    let rows = try run.rows { _ in count += 1 }
    #expect(rows.count == run.plan.rowCount && count == rows.count)
    let limiter = try #require(rows.first { $0.effects == "limiter" })
    // A limiter states its look-ahead, and the waveform is as late, within a sample (0.02 ms).
    #expect(abs((limiter.delayMs ?? 0) - limiter.reportedMs) < 0.02)
    #expect(rows[0].delayMs.map { abs($0) < 0.01 } == true)
  }
}
