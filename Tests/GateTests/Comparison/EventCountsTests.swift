import DSP
import Testing

@testable import Gate

@Suite struct EventCountsTests {
  /// Fifteen takes with a click more and three with one fewer: a fair coin gives heads at least 15 of
  /// 18 times with a probability of 988 / 2^18.
  @Test func theChanceIsThatOfAFairCoin() {
    var counts = EventCounts()
    for recording in 0..<3 { counts.add([1, 2, 1, 1, 7], in: "r\(recording)", effect: 1) }
    counts.add([-1, 0, 0.5, -3, -1], in: "r3", effect: 1)
    #expect(counts.more == 15 && counts.fewer == 3 && counts.takes == 20)
    #expect(abs(counts.pValue - 988 / 262_144) < 1e-12)
    #expect(counts.moreByRecording == ["r0": 5, "r1": 5, "r2": 5])
    #expect(counts.reason == "more events in 15 of 20 takes, fewer in 3")
  }

  @Test func withoutEventsThereIsNoDoubt() {
    var counts = EventCounts()
    counts.add([0, 0], in: "r", effect: 1)
    #expect(counts.pValue == 1)
  }

  /// Five takes of six recordings, each with clicks by chance.
  private static func takes(
    _ random: inout SeededGenerator, clicks share: Double
  ) -> Takes {
    let runs = (0..<5).map { _ in
      var clicks: [Double] = []
      for _ in 0..<6 { clicks.append(random.uniform() < share ? 1 : 0) }
      return GateSamples.run(figures: ["clicks.count": 0]) { recording, _, voice in
        (voice == "+4" ? clicks[recording] : 0) - 0.1 * Double(recording)
      }
    }
    return Takes(runs[0].cells, runs: runs.dropFirst().map(\.cells))
  }

  /// A program that clicks in two of five takes, where it clicked in none, has no click in the median
  /// take. One that clicked in two of five before raises no alarm.
  @Test func clicksByChanceAreCounted() throws {
    var random = SeededGenerator(seed: 11)
    var (found, alarms) = (0, 0)
    for _ in 0..<100 {
      let (quiet, rare) = (
        Self.takes(&random, clicks: 0), Self.takes(&random, clicks: 0.55)
      )
      let more = try RunComparison(baseline: quiet, candidate: rare)
      let again = try RunComparison(
        baseline: rare, candidate: Self.takes(&random, clicks: 0.55))
      if more.differences.first?.reason.hasPrefix("more events in ") == true { found += 1 }
      if more.verdict == .regression {
        #expect(more.differences[0].key.figure == .init("clicks.count", voice: "+4"))
        #expect(more.differences[0].eventCells.count > 3)
      }
      if again.verdict == .regression { alarms += 1 }
    }
    // 12 of 30 takes are needed at 0.001 / 2; the mean is 16.5, the deviation 2.7.
    #expect(found > 70)
    #expect(alarms == 0)
  }
}
