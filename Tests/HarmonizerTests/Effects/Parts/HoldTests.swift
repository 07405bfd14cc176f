import Testing

@testable import Effects

@Suite struct HoldTests {
  @Test(arguments: [1, 2, 7, 64, 480]) func peakIsTheLargestOfTheLast(count: Int) {
    var hold = PeakHold(samples: count)
    let values = noise(seconds: 0.05)
    for i in values.indices {
      #expect(hold.next(values[i]) == values[max(0, i - count + 1)...i].max())
    }
  }

  /// The mean is exact bit for bit after many values: nothing has drifted.
  @Test func runningMeansDoNotDrift() {
    var mean = RunningMean(of: 36)
    for value in noise(seconds: 1) { _ = mean.next(abs(value) + 1e-6) }
    for _ in 0..<36 { _ = mean.next(1) }
    #expect(mean.next(1) == 1)
  }

  /// A true-peak meter reads peaks between samples: a sine at a quarter of the rate, sampled at
  /// 45°, is 3 dB above its samples.
  @Test func truePeakIsThatOfTheWave() {
    var meter = TruePeak()
    let samples = (0..<1000).map { Float([1, 1, -1, -1][$0 % 4]) }
    let peak = samples.map { meter.next($0) }.suffix(500).max()!
    // The standard's table reads 0.22 dB too much there, but its nearest phase is an eighth of a
    // sample off the peak, which takes 0.17 dB.
    #expect(abs(decibels(Double(peak)) - 3.01 - 0.05) < 0.01)
  }
}
