import Analyzer
import DSP
import Foundation

/// The sounds of `scripts/vectors/quality.py`, equal sample by sample. Change both together.
enum QualityVoice {
  static let rateHz = 44_100.0

  /// Harmonics up to 8 kHz with a slope of -6 dB per octave, and white noise `hnrDb` below them;
  /// `nil` for no noise.
  static func noisyTone(
    f0Hz: Double, hnrDb: Double?, seconds: Double = 1, seed: UInt64 = 5
  ) -> Signal {
    let count = Int(seconds * rateHz)
    var tone = [Double](repeating: 0, count: count)
    for h in 1...Int(8000 / f0Hz) {
      // A recurrence over the last two values is fast, and accurate enough over a second.
      let step = 2 * Double.pi * f0Hz * Double(h) / rateHz
      let phase = Double(h * h)
      var (before, now) = (sin(phase - step), sin(phase))
      for n in tone.indices {
        tone[n] += now / Double(h)
        (before, now) = (now, 2 * cos(step) * now - before)
      }
    }
    if let hnrDb {
      var random = SeededGenerator(seed: seed)
      let noise = tone.map { _ in 2 * random.uniform() - 1 }
      let gain = (energy(tone) / energy(noise)).squareRoot() * pow(10, -hnrDb / 20)
      for n in tone.indices { tone[n] += gain * noise[n] }
    }
    return Signal(tone.map { Float(0.1 * $0) }, sampleRateHz: rateHz)
  }

  /// Times and amplitudes of pulses with uniformly distributed variations.
  static func perturbed(
    count: Int = 80, f0Hz: Double, jitter: Double, shimmer: Double
  ) -> (marks: [Double], sizes: [Double]) {
    var random = SeededGenerator(seed: 9)
    var (time, marks, sizes) = (0.05, [Double](), [Double]())
    for _ in 0..<count {
      marks.append(time)
      sizes.append(1 + shimmer * (2 * random.uniform() - 1))
      time += (1 + jitter * (2 * random.uniform() - 1)) / f0Hz
    }
    return (marks, sizes)
  }

  /// A short damped oscillation at 900 Hz after each mark.
  static func pulses(_ marks: [Double], _ sizes: [Double]) -> Signal {
    var sound = [Double](repeating: 0, count: Int((marks.last! + 0.05) * rateHz))
    for (mark, size) in zip(marks, sizes) {
      let first = Int(mark * rateHz) + 1
      for n in first..<min(sound.count, first + Int(0.008 * rateHz)) {
        let past = Double(n) / rateHz - mark
        let rise = past / 3e-4
        sound[n] += size * rise * rise * exp(-rise) * cos(2 * .pi * 900 * past)
      }
    }
    return Signal(sound.map { Float(0.3 * $0) }, sampleRateHz: rateHz)
  }

  private static func energy(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }

  /// A track with a constant pitch in a time range, unvoiced outside.
  static func steadyTrack(f0Hz: Double, from start: Double = 0, to end: Double) -> PitchTrack {
    let frames = (0..<Int(end / 0.001)).map { Double($0) * 0.001 >= start ? f0Hz : 0 }
    return PitchTrack(hopSeconds: 0.001, f0Hz: frames)
  }
}
