import DSP
import Foundation
import Testing

@testable import Harmonizer

private let rateHz = partialsRateHz

@Suite struct VocoderFormantTests {
  /// A vowel of known envelope at 130 Hz: the partials of the copy follow the same envelope.
  @Test(arguments: [-5.0, 4])
  func formantsStay(semitones: Double) throws {
    func levelDb(_ hz: Double) -> Double {
      let (first, second) = ((hz - 600) / 150, (hz - 1500) / 200)
      return 10 * log10(exp(-first * first) + 0.3 * exp(-second * second) + 0.001)
    }
    let input = harmonicTone(hz: 130, seconds: 1) { k in pow(10, levelDb(130 * k) / 20) }
    func distanceDb(_ settings: Vocoder.Settings) throws -> Double {
      var vocoder = try VocoderTests.make(semitones, settings)
      let output = vocoder.render(input).suffix(24_000).map(Double.init)
      let f0 = 130 * exp2(semitones / 12)
      let errors = (1...Int(1500 / f0)).map { k in
        20 * log10(amplitude(of: f0 * Double(k), in: output)) - levelDb(f0 * Double(k))
      }
      let mean = errors.reduce(0, +) / Double(errors.count)
      return sqrt(errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count))
    }
    // Between partials 130 Hz apart the envelope of a resonance 150 Hz wide is an estimate.
    #expect(try distanceDb(.init()) < 3)
    #expect(try distanceDb(.init { $0.formantsKept = false }) > 5)
  }

  /// Formants a fourth lower: the peak of a 20 dB resonance is on the harmonic at three quarters of
  /// its frequency, and its shape is kept within 2 dB.
  @Test func formantShiftsKeepTheShapeOfAPeak() throws {
    func levelDb(_ hz: Double) -> Double { 20 * exp(-pow((hz - 800) / 120, 2)) }
    let input = harmonicTone(hz: 100, seconds: 1) { k in pow(10, levelDb(100 * k) / 20) / 10 }
    let shift = 12 * log2(0.75)
    var vocoder = try VocoderTests.make(0, .init { $0.formantShiftSemitones = shift })
    let output = vocoder.render(input).suffix(24_000).map(Double.init)
    for k in 3...12 {
      let found = 20 * log10(amplitude(of: 100 * Double(k), in: output) / 0.02)
      #expect(abs(found - levelDb(100 * Double(k) / 0.75)) < 2, "harmonic \(k)")
    }
  }

  /// A dark vowel at 400 Hz has weak partials at 1200 and 1600 Hz, and an echo of another note between
  /// them. An octave up these partials rise under a formant; the echo must not rise with them. It
  /// was 40 dB below the vowel and stays so, but for 3 dB of ripple between bins.
  @Test(arguments: [1300.0, 1400, 1480])
  func whatLiesBetweenPartialsIsNotRaised(echoHz: Double) throws {
    let levels = [0.0, -5, -38, -38, -12, -3, -3, -6, -20, -30, -40, -40, -40, -40, -40, -40]
    let voice = harmonicTone(hz: 400, seconds: 1.5) { k in pow(10, levels[Int(k) - 1] / 20) }
    let input = voice.indices.map { n in
      voice[n] + 0.002 * Float(sin(2 * .pi * echoHz * Double(n) / rateHz))
    }
    var vocoder = try VocoderTests.make(12)
    let output = vocoder.render(input).suffix(24_000).map(Double.init)
    #expect(20 * log10(amplitude(of: 2 * echoHz, in: output) / 0.002) < 3)
    // The partial beside it has risen as its formant wants.
    #expect(20 * log10(amplitude(of: 2400, in: output) / 0.2) > -8)
  }
}
