import Analyzer
import DSP
import Foundation

/// Correction of the spectrum between the harmonics of a voice, which a grain of two periods can't
/// show.
///
/// Under a Hann window of two periods the spectrum of a grain passes through every harmonic, but
/// between two it only joins them by the window's main lobe: peaks of the mouth that lie there are
/// cut off, the more so the higher the voice. An envelope fitted to the voice as it moves knows
/// them. It says how strong the grain would be at any frequency and what the window makes of it;
/// the quotient is the correction, 1 at the harmonics themselves. It has no phase: one of minimum
/// phase needs to know the instant the mouth is excited, and smears the voice where that is a
/// little wrong.
struct HarmonicGaps {
  private let frames: [EnvelopeAnalyzer.Frame]
  private let binHz: Double
  /// Limits of a correction.
  private let most: Double
  private let least: Double
  private let ceilingHz: Double

  /// - Parameter transformCount: of the grains to be corrected.
  init(
    _ frames: [EnvelopeAnalyzer.Frame], transformCount: Int, sampleRateHz: Double,
    ceilingHz: Double, maxDb: Double
  ) {
    self.frames = frames
    self.ceilingHz = min(ceilingHz, 0.46 * sampleRateHz)
    binHz = sampleRateHz / Double(transformCount)
    most = pow(10, maxDb / 20)
    least = 1 / most
  }

  /// Corrects the spectrum of a grain about its mark.
  ///
  /// - Parameter formantRatio: by how much faster than it was sung the grain is read.
  func fill(
    _ grain: inout [ComplexFloat], atSeconds time: Double, f0Hz: Double, formantRatio: Double
  ) {
    guard f0Hz > 0, let envelope = Blend(frames, atSeconds: time) else { return }
    let count = Int(ceilingHz / f0Hz) + 4
    let harmonics = (0...count).map { number in
      guard number > 0 else { return SIMD2<Double>.zero }
      let bin = min(Int((Double(number) * f0Hz * formantRatio / binHz).rounded()), grain.count - 1)
      let direction = SIMD2(Double(grain[bin].re), Double(grain[bin].im))
      let length = (direction * direction).sum().squareRoot()
      return length > 0
        ? envelope.amplitude(atHz: Double(number) * f0Hz) / length * direction : .zero
    }
    for bin in grain.indices {
      let hz = Double(bin) * binHz / formantRatio  // as it was sung
      guard hz < ceilingHz else { break }
      let shown = max(Self.shown(harmonics, hz / f0Hz), 1e-12)
      let gain = min(max(envelope.amplitude(atHz: hz) / shown, least), most)
      // It ends gently at the ceiling.
      let share = min(1, (ceilingHz - hz) / (0.1 * ceilingHz))
      let factor = Float(1 + share * (gain - 1))
      grain[bin] = ComplexFloat(factor * grain[bin].re, factor * grain[bin].im)
    }
  }

  /// Returns what the window shows at a multiple of the fundamental: two harmonics out of step hide what is between.
  private static func shown(_ harmonics: [SIMD2<Double>], _ position: Double) -> Double {
    let below = Int(position)
    let sum = ((below - 2)...(below + 3)).reduce(SIMD2<Double>.zero) { sum, number in
      guard abs(number) < harmonics.count else { return sum }
      let mirrored = number < 0 ? SIMD2(1.0, -1) : SIMD2(1, 1)
      return sum + Hann.spectrum(atBin: 2 * (position - Double(number))) * mirrored
        * harmonics[abs(number)]
    }
    return (sum * sum).sum().squareRoot()
  }
}

/// An envelope between two instants.
private struct Blend {
  let first: SpectralEnvelope
  let second: SpectralEnvelope
  /// Share of the second.
  let share: Double

  /// `nil` where none is known within a quarter of a second.
  init?(_ frames: [EnvelopeAnalyzer.Frame], atSeconds time: Double) {
    let reach = 0.25
    // Frames rise in time: halving finds the first that is not before it.
    var (first, end) = (0, frames.count)
    while first < end {
      let middle = (first + end) / 2
      if frames[middle].timeSeconds < time { first = middle + 1 } else { end = middle }
    }
    let before = first > 0 ? frames[first - 1] : nil
    let after = first < frames.count ? frames[first] : nil
    switch (before, after) {
    case (let a?, let b?) where b.timeSeconds - a.timeSeconds <= reach:
      (self.first, second) = (a.envelope, b.envelope)
      share = (time - a.timeSeconds) / (b.timeSeconds - a.timeSeconds)
    default:  // not over a pause
      let known = [before, after].compactMap(\.self)
      guard let near = known.min(by: { abs($0.timeSeconds - time) < abs($1.timeSeconds - time) }),
        abs(near.timeSeconds - time) <= reach
      else { return nil }
      (self.first, second, share) = (near.envelope, near.envelope, 0)
    }
  }

  func amplitude(atHz hz: Double) -> Double {
    let level = first.levelDb(atHz: hz)
    let decibels = level + share * (second.levelDb(atHz: hz) - level)
    return exp2(decibels / 6.0205999133)
  }
}
