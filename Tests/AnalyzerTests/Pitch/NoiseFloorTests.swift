import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct NoiseFloorTests {
  private func spectra(_ samples: [Float]) -> [[Float]] {
    let padded = PaddedSamples(samples)
    var correlation = FrameCorrelation(floorHz: 60, windowSeconds: 0.05, sampleRateHz: 8_000)
    return stride(from: 0, to: samples.count, by: 80).map {
      correlation.spectrum(of: padded, around: $0)
    }
  }

  private var hiss: [Float] {
    var random = SeededGenerator(seed: 5)
    return (0..<32_000).map { _ in
      Float((0..<12).reduce(-6.0) { total, _ in total + random.uniform() })
    }
  }

  /// White noise of variance 1 under a window has the window's power, the sum of its squares: 3/8
  /// of its 400 samples. A band holds some hundred independent values; their 20 % quantile is known
  /// to about 10 %, and a factor of 0.35 is three times that.
  @Test func whiteNoiseIsMeasured() {
    let floor = NoiseFloor(of: spectra(hiss), hzPerBin: 8_000.0 / 1024)
    for bin in stride(from: 20, to: 500, by: 40) { #expect(abs(floor.power[bin] / 150 - 1) < 0.35) }
  }

  @Test func aVoiceWithRestsIsNotNoise() {
    let tone = (0..<16_000).map { Float(sin(2 * Double.pi * 220 * Double($0) / 8_000)) }
    let floor = NoiseFloor(
      of: spectra(tone + [Float](repeating: 0, count: 16_000)), hzPerBin: 8_000.0 / 1024)
    #expect(floor.power.allSatisfy { $0 == 0 })
  }

  @Test func onlySoundAboveTheNoiseIsKept() {
    let noisy = hiss.enumerated().map { n, value in
      value + (n > 16_000 ? 3 * Float(sin(2 * Double.pi * 1000 * Double(n) / 8_000)) : 0)
    }
    let spectra = spectra(noisy)
    let before = spectra[300]
    var left = before
    NoiseFloor(of: spectra, hzPerBin: 8_000.0 / 1024).leaveWhatStandsOut(in: &left, from: 0)
    // The tone, at bin 128, is 9/4 * 200² / 150 or 28 dB above the noise.
    #expect(left[128] > 0.9 * before[128])
    let kept: Float = left[200...].reduce(0, +)
    let all: Float = before[200...].reduce(0, +)
    #expect(kept < 0.3 * all)
  }
}
