import Testing

@testable import Effects

@Suite struct HoldTests {
  @Test(arguments: [1, 2, 7, 64, 480]) func peakIsTheLargestOfTheLast(count: Int) {
    var hold = PeakHold(samples: count)
    let values = noise(seconds: 0.05)
    for i in values.indices {
      #expect(hold.take(values[i]) == values[max(0, i - count + 1)...i].max())
    }
  }

  /// Bit for bit: after a million values nothing has drifted.
  @Test func meanForgetsWithoutATrace() {
    var mean = RunningMean(of: 36)
    for value in noise(seconds: 1) { _ = mean.take(abs(value) + 1e-6) }
    for _ in 0..<36 { _ = mean.take(1) }
    #expect(mean.take(1) == 1)
  }

  /// A meter must read a wave whose peaks lie between its samples: a sine of a quarter of the rate,
  /// sampled at 45°, is 3 dB higher than its samples.
  @Test func truePeakIsThatOfTheWave() {
    var meter = TruePeak()
    let samples = (0..<1000).map { Float([1, 1, -1, -1][$0 % 4]) }
    let peak = samples.map { meter.take($0) }.suffix(500).max()!
    // By its table the interpolator of the standard reads 0.22 dB too much there; but it looks an
    // eighth of a sample beside the peak, which takes 0.17 dB.
    #expect(abs(db(Double(peak)) - 3.01 - 0.05) < 0.01)
  }
}
