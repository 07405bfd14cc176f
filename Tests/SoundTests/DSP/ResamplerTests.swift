import AllocationProbe
import DSP
import Foundation
import TestSupport
import Testing

@Suite struct ResamplerTests {
  private static let pairs: [(from: Double, to: Double)] = [
    (48_000, 16_000), (44_100, 48_000), (48_000, 44_100), (16_000, 48_000), (22_050, 16_000),
  ]

  private func tone(_ hz: Double, at rateHz: Double, seconds: Double = 0.5) -> Signal {
    .sine(hz, seconds: seconds, sampleRateHz: rateHz)
  }

  /// A tone in the pass band stays in place: the same sine, sampled at the new times.
  @Test(arguments: pairs, [0.01, 0.3, 0.88])
  func passBandKeepsTheWaveform(pair: (from: Double, to: Double), share: Double) {
    let hz = share * min(pair.from, pair.to) / 2
    let output = tone(hz, at: pair.from).resampled(to: pair.to)
    #expect(output.count == Int((0.5 * pair.to).rounded(.up)))
    let expected = tone(hz, at: pair.to)
    let middle = output.count / 4..<output.count * 3 / 4
    // 0.001 dB is one part in 8700.
    for i in middle { #expect(abs(output.samples[i] - expected.samples[i]) < 1.2e-4) }
  }

  /// The filter from 16,099 to 16,000 Hz has 16,000 phases of over 100 taps, 6.4 MB and more.
  @Test func aLargeFilterIsMadeOnce() {
    _ = tone(300, at: 16_099, seconds: 0.01).resampled(to: 16_000)
    let another = tone(400, at: 16_099, seconds: 0.01)
    allocation_probe_start()
    _ = another.resampled(to: 16_000)
    _ = allocation_probe_stop()
    #expect(allocation_probe_counts().peak_bytes < 1_000_000)
  }

  /// Content above half the lower rate is suppressed by 100 dB.
  @Test(arguments: [(48_000.0, 16_000.0), (48_000, 44_100), (192_000, 48_000)], [1.001, 1.05])
  func stopBandIsSilent(pair: (from: Double, to: Double), share: Double) {
    let hz = share * pair.to / 2
    let output = tone(hz, at: pair.from).resampled(to: pair.to)
    let middle = output.samples[output.count / 4..<output.count * 3 / 4]
    #expect(middle.map { abs($0) }.max()! < 1e-5)
  }

  /// Upsampling adds no images: everything but the tone is suppressed by 100 dB.
  @Test func imagesAreSilent() {
    let output = tone(15_000, at: 44_100).resampled(to: 96_000)
    let expected = tone(15_000, at: 96_000)
    let middle = output.count / 4..<output.count * 3 / 4
    // The gain may be off by 0.001 dB, so it is removed first.
    let gain =
      middle.reduce(0.0) { $0 + Double(output.samples[$1] * expected.samples[$1]) }
      / middle.reduce(0.0) { $0 + Double(expected.samples[$1] * expected.samples[$1]) }
    for i in middle {
      #expect(abs(Double(output.samples[i]) - gain * Double(expected.samples[i])) < 1.5e-5)
    }
  }

  @Test func emptySoundsAndEqualRatesAreUnchanged() {
    #expect(Signal([], sampleRateHz: 8_000).resampled(to: 16_000).samples == [])
    let same = Signal([1, 2, 3], sampleRateHz: 8_000)
    #expect(same.resampled(to: 8_000) == same)
  }

  @Test func unusualRatesWork() {
    let output = tone(440, at: 44_100).resampled(to: 37_123.5)
    let expected = tone(440, at: 37_123.5)
    let middle = output.count / 4..<output.count * 3 / 4
    for i in middle { #expect(abs(output.samples[i] - expected.samples[i]) < 2e-4) }
  }
}
