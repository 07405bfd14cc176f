import DSP
import Foundation
import TestSupport
import Testing

@testable import Singer

/// Checks that a periodic source contains only harmonics.
@Suite struct AliasingTests {
  /// Length of a spectrum: bins of 11.7 Hz for steady tones.
  static let steadyCount = 4096

  @Test(arguments: [36.0, 43.3, 50, 57.7, 64, 71.1, 78, 84])
  func steadyVowelsAreHarmonicOnly(semitones: Double) throws {
    let f0Hz = 440 * exp2((semitones - 69) / 12)
    let rendering = try held(semitones, vowel: .a).render()
    let worst = offHarmonicDb(
      rendering.signal, from: 24_000, count: f0Hz < 100 ? 16_384 : Self.steadyCount,
      f0Hz: f0Hz, slopeHz: 0)
    #expect(worst < -80)
  }

  @Test(arguments: [Phone.a, .i, .u])
  func sweepToC6IsHarmonicOnly(vowel: Phone) throws {
    // An octave in 4 s. Spectra are so short that even the highest harmonic moves by less than half
    // the distance of two.
    var performance = held(72, vowel: vowel, seconds: 4)
    performance.notes[0].bend = [BendPoint(at: 0, semitones: 0), BendPoint(at: 1, semitones: 12)]
    let rendering = try performance.render()
    let truth = rendering.truth.f0Hz
    for start in stride(from: 12_000, to: 170_000, by: 4_801) {
      let slopeHz = (truth[start + 1_024] - truth[start]) / 1_024
      let worst = offHarmonicDb(
        rendering.signal, from: start, count: 1_024, f0Hz: truth[start + 512], slopeHz: slopeHz)
      #expect(worst < -80, "at sample \(start)")
    }
  }

  private func held(_ semitones: Double, vowel: Phone, seconds: Double = 2) -> Performance {
    var note = Note(startSeconds: 0, durationSeconds: seconds, pitchSemitones: semitones)
    note.dynamics = .level(0)
    return Performance(
      voice: .bass, notes: [note],
      phones: [TimedPhone(vowel, startSeconds: 0, durationSeconds: seconds)]
    ).withoutNoise()
  }

  /// The strongest spectral value away from all harmonics, relative to the strongest of all.
  ///
  /// - Parameter slopeHz: change of f0 per sample.
  private func offHarmonicDb(
    _ signal: Signal, from start: Int, count: Int, f0Hz: Double, slopeHz: Double
  ) -> Double {
    let window = blackmanHarris(count)
    let frame = (0..<count).map { signal.samples[start + $0] * Float(window[$0]) }
    var transform = FourierTransform(count: count)
    transform.forward(frame.span)
    let binHz = signal.sampleRateHz / Double(count)
    var (all, off) = (0.0, 0.0)
    let spectrum = transform.spectrum
    for bin in spectrum.indices {
      let power = Double(spectrum[bin].power)
      all = max(all, power)
      let hz = Double(bin) * binHz
      let harmonic = max((hz / f0Hz).rounded(), 1)
      // The window's main lobe is four bins to either side; a moving harmonic widens it.
      let reach = 5 * binHz + harmonic * abs(slopeHz) * Double(count) / 2
      if abs(hz - harmonic * f0Hz) > reach, hz > 5 * binHz { off = max(off, power) }
    }
    return 10 * log10(off / all)
  }
}
