import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct SubharmonicSummationTests {
  /// One of the pitches that are tried, 231 Hz.
  private let f0Hz = 45 * exp2(85.0 / 36)

  /// Ten harmonics, together 2 dB softer than white noise.
  private func sums() -> SubharmonicSummation {
    var random = SeededGenerator(seed: 2)
    let samples = (0..<4_000).map { n -> Float in
      var value = 12.0.squareRoot() * (random.uniform() - 0.5)
      for number in 1...10 {
        let phase = 2 * .pi * f0Hz * Double(number) * Double(n) / 8_000
        value += 0.35 * cos(phase + Double(number))
      }
      return Float(value)
    }
    var sums = SubharmonicSummation(
      floorHz: 45, ceilingHz: 3_800, windowSeconds: 0.11, sampleRateHz: 8_000)
    sums.sum(PaddedSamples(samples, from: 0), around: 2_000)
    return sums
  }

  /// Within half a step.
  @Test func theVoiceHasTheGreatestSum() throws {
    let peaks = sums().peaks()
    #expect(peaks.count == 3)
    #expect(abs(log2(try #require(peaks.first) / f0Hz)) < 0.5 / 36)
  }

  /// The octave below has as much on its harmonics, and half of that between them; the octave above half of it.
  @Test func otherOctavesHaveLess() {
    let values = sums().values(ofHz: f0Hz)
    #expect(values.count == SubharmonicSummation.valueCount)
    #expect(values[0] > -0.01)
    #expect(values[1] < -0.2 && values[2] < -0.2)
  }
}
