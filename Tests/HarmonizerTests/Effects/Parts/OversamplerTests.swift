import Foundation
import Testing

@testable import Effects

@Suite struct OversamplerTests {
  /// A sound is unchanged after going up and down, late by the stated latency. It is within 0.1 dB
  /// up to 0.79 of half the rate, as Kaiser's formulas give for the filters' length.
  @Test(arguments: [100.0, 1000, 10_000, 18_960])
  func upAndDownKeepsTheSound(hz: Double) {
    var oversampler = Oversampler()
    let input = sine(hz: hz, seconds: 0.1)
    let output = input.map { oversampler.down(oversampler.up($0)) }
    let late = Oversampler.latencySamples
    let apart = (1000..<input.count).map { abs(output[$0] - input[$0 - late]) }.max()!
    #expect(apart < 0.012)  // 0.1 dB is 1.2 %
  }

  /// Images are 75 dB down at twice the rate and 70 dB at eight times, each of six.
  @Test(arguments: [1000.0, 10_000, 20_000])
  func upsamplingAddsNoImages(hz: Double) {
    var oversampler = Oversampler()
    let count = 16_384
    // On a bin of the spectrum at eight times the rate, so that everything else is an image.
    let bin = (hz * Double(count) / 384_000).rounded()
    let input = sine(hz: bin * 384_000 / Double(count), seconds: 0.1)
    let output = input.flatMap { sample in
      let eight = oversampler.up(sample)
      return (0..<8).map { eight[$0] }
    }
    let spectrum = LineSpectrum(output, count: count)
    let line = spectrum.line(Int(bin))
    #expect(powerDb((spectrum.power.reduce(0, +) - line) / line) < -66)
  }

  /// Frequencies above half the rate are removed on the way down: by 65 dB at 1.01 of it.
  @Test(arguments: [24_240.0, 30_000, 47_000, 71_000, 97_000, 150_000])
  func downsamplingDoesNotAlias(hz: Double) {
    var oversampler = Oversampler()
    let input = sine(hz: hz, seconds: 0.1, sampleRateHz: 384_000)
    let output = stride(from: 0, to: input.count, by: 8).map { start in
      oversampler.down(SIMD8(input[start..<start + 8]))
    }
    let loudest = output.dropFirst(200).map { abs($0) }.max()!
    #expect(decibels(Double(loudest)) < -62)
  }
}
