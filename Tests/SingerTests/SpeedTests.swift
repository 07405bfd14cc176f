import DSP
import Foundation
import Singer
import Testing

@Suite(.serialized) struct SpeedTests {
  /// One voice takes less than a hundredth of real time in CPU time of this thread. The best of
  /// several runs counts, since a busy machine can only slow one down.
  @Test(arguments: ["melody-frere-jacques", "scale-bass", "fricatives-alto"])
  func rendersAHundredTimesFasterThanItSounds(id: String) throws {
    let performance = try Songbook.performance(id: id)
    _ = try performance.render()  // builds the wavetable
    var best = 0.0
    for _ in 0..<8 {
      let start = cpuSeconds()
      let rendering = try performance.render(sampleRateHz: 48_000)
      best = max(best, rendering.signal.durationSeconds / (cpuSeconds() - start))
    }
    #expect(best > 100)
  }

  private func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
