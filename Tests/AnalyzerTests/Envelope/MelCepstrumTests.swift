import DSP
import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite struct MelCepstrumTests {
  /// Reference values, written by scripts/vectors/melcepstrum.py.
  private struct Pair: Decodable {
    var formantHz: [Double]
    var f0Hz: Double
    var tenthFrame: [Double]
    var distortionDb: Double
  }

  /// The same sound that the script synthesizes.
  private func sound(_ formantHz: Double, _ f0Hz: Double, gain: Double = 1) -> Signal {
    let samples = (0..<8000).map { n in
      (1...30).reduce(0.0) { sum, h in
        let hz = Double(h) * f0Hz
        guard hz < 7000 else { return sum }
        let distance = (hz - formantHz) / 300
        let amplitude = 0.1 / Double(h) / (1 + distance * distance).squareRoot()
        return sum + amplitude * sin(2 * .pi * hz * Double(n) / 16_000)
      }
    }
    return Signal(samples.map { Float(gain * $0) }, sampleRateHz: 16_000)
  }

  @Test func agreesWithLibrosa() throws {
    for pair in try golden("melcepstrum.json", as: [Pair].self) {
      let first = MelCepstrum(of: sound(pair.formantHz[0], pair.f0Hz))
      let second = MelCepstrum(of: sound(pair.formantHz[1], pair.f0Hz))
      // Samples and transform have single precision: 1e-5 of the faintest bands.
      for (n, value) in pair.tenthFrame.enumerated() {
        #expect(abs(first.frames[10][n] - value) < 2e-3, "term \(n)")
      }
      let distortion = try #require(MelCepstralDistortion(of: second, against: first))
      #expect(abs(distortion.distortionDb - pair.distortionDb) < 0.005)
      #expect(distortion.frameCount == 96)  // (8000 - 400) / 80 + 1
    }
  }

  /// Loudness is not part of the timbre.
  @Test func gainChangesNothing() throws {
    let voice = MelCepstrum(of: sound(700, 150))
    let fainter = MelCepstrum(of: sound(700, 150, gain: 0.1))
    let distortion = try #require(MelCepstralDistortion(of: fainter, against: voice))
    #expect(distortion.distortionDb < 0.01)
  }

  /// A delayed sound is compared with correspondingly delayed frames.
  @Test func delayIsCompensated() throws {
    let voice = sound(700, 150)
    let silence = [Float](repeating: 0, count: 800)
    let late = Signal(silence + sound(700, 150).samples, sampleRateHz: 16_000)
    let distortion = try #require(
      MelCepstralDistortion(
        of: MelCepstrum(of: late), against: MelCepstrum(of: voice), delaySeconds: 0.05))
    #expect(distortion.distortionDb < 1e-6)
  }

  @Test func silenceHasNoTimbre() {
    let voice = MelCepstrum(of: sound(700, 150))
    let silence = MelCepstrum(of: Signal([Float](repeating: 0, count: 8000), sampleRateHz: 16_000))
    #expect(MelCepstralDistortion(of: silence, against: voice) == nil)
    #expect(MelCepstralDistortion(of: voice, against: silence) == nil)
    #expect(MelCepstrum(of: Signal([], sampleRateHz: 48_000)).frames.isEmpty)
    #expect(MelCepstrum(of: Signal([0.5], sampleRateHz: 8_000)).frames.isEmpty)
  }
}
