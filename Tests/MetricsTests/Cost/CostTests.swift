import DSP
import Effects
import Foundation
import Testing

@testable import Metrics
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
    #expect(try #require(BlockSpread(of: times, pace: .unpaced)).blocks == 7)
  }
}
