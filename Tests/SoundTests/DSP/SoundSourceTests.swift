import DSP
import TestSupport
import Testing

@Suite struct SoundSourceTests {
  private static func noise(_ count: Int, rateHz: Double) -> Signal {
    .noise(count: count, seed: 3, sampleRateHz: rateHz)
  }

  /// Any range, including both ends, equals that of the whole bit by bit.
  @Test(arguments: [(44_100.0, 8_000.0), (48_000, 8_000), (8_000, 32_000), (22_050, 16_000)])
  func aRangeIsResampledAsTheWholeIs(from: Double, to: Double) {
    let sound = Self.noise(5_000, rateHz: from)
    let whole = sound.resampled(to: to).samples
    #expect(sound.count(at: to) == whole.count)
    for range in [0..<7, 100..<333, whole.count - 20..<whole.count, 0..<whole.count] {
      #expect(sound.resampled(to: to, range: range) == Array(whole[range]))
    }
    let beyond = sound.resampled(to: to, range: -3..<whole.count + 2)
    #expect(beyond == [0, 0, 0] + whole + [0, 0])
  }

  @Test func beyondItsEndsASoundIsSilent() {
    let sound = Signal([1, 2, 3], sampleRateHz: 8_000)
    #expect(sound.paddedSamples(-2..<5) == [0, 0, 1, 2, 3, 0, 0])
    #expect(sound.paddedSamples(7..<9) == [0, 0])
  }
}
