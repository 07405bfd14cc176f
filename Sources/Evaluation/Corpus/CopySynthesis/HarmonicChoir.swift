import Analyzer
import DSP
import Foundation
import Statistics

/// Sines on one common phase, with amplitudes from envelopes that change over time.
///
/// Each harmonic keeps a constant phase against the fundamental: that of the minimum-phase filter
/// with the mean envelope, which sounds like a vocal tract rather than a buzzer. Phases that follow
/// the envelope would bend the pitch at every vowel change.
struct HarmonicChoir {
  let frames: [CopyFrame]
  /// The pitch of each frame.
  let pitch: PitchTrack
  let rateHz: Double

  func add(to samples: inout [Float]) {
    let perFrame = pitch.hopSeconds * rateHz
    let turns = phases()
    var cycles = 0.0
    for frame in 0..<max(0, frames.count - 1) {
      let (f0, f1) = (pitch.f0Hz[frame], pitch.f0Hz[frame + 1])
      guard f0 > 0 || f1 > 0 else { continue }
      let first = Int((Double(frame) * perFrame).rounded(.up))
      let next = Int((Double(frame + 1) * perFrame).rounded(.up))
      let stretch = Stretch(
        from: f0 > 0 ? f0 : f1, to: f1 > 0 ? f1 : f0, amplitudes(frame), amplitudes(frame + 1),
        turns)
      for n in first..<min(next, samples.count) {
        let share = (Double(n) - Double(frame) * perFrame) / perFrame
        samples[n] += stretch.sample(at: Float(share), cycles: cycles)
        // The pitch halfway to the next sample: the phase is exact to second order.
        cycles += stretch.f0Hz(at: share + 0.5 / perFrame) / rateHz
        cycles -= cycles.rounded(.down)
      }
    }
  }

  /// Returns the harmonics' amplitudes: none in an unvoiced frame, so that a voice fades in and out
  /// over one frame.
  private func amplitudes(_ frame: Int) -> [Float] {
    let f0 = pitch.f0Hz[frame]
    guard f0 > 0 else { return [] }
    return (1...max(1, Int(0.45 * rateHz / f0))).map {
      frames[frame].amplitude(atHz: Double($0) * f0)
    }
  }

  /// Returns the cosine and sine of each harmonic's phase.
  private func phases() -> [(Float, Float)] {
    let voiced = frames.filter { $0.f0Hz > 0 }
    guard let middle = Statistics.median(voiced.map(\.f0Hz)),
      let lowest = pitch.f0Hz.filter({ $0 > 0 }).min()
    else { return [] }
    let count = 512
    let levels = (0...count).map { bin -> Double in
      let hz = max(middle, Double(bin) / Double(count) * rateHz / 2)
      let sum = voiced.reduce(0.0) { $0 + log(Double(max($1.amplitude(atHz: hz), 1e-6))) }
      return sum / Double(voiced.count)
    }
    var transform = FourierTransform(count: 2 * count)
    var spectrum = transform.spectrum
    for bin in 0...count { spectrum[bin] = ComplexFloat(Float(levels[bin]), 0) }
    transform.inverse()
    let cepstrum = (0..<count).map { Double(transform.samples[$0]) / Double(2 * count) }
    return (1...max(1, Int(0.45 * rateHz / lowest))).map { harmonic in
      let angle = min(2 * .pi * Double(harmonic) * middle / rateHz, .pi)
      let phase = (1..<100).reduce(0.0) { $0 - 2 * cepstrum[$1] * sin(angle * Double($1)) }
      return (Float(cos(phase)), Float(sin(phase)))
    }
  }
}

/// The harmonics between two frames.
private struct Stretch {
  private let startHz: Double
  private let octaves: Double
  /// Each harmonic's cosine and sine parts at the start, and their change to the end.
  private let parts: [SIMD4<Float>]

  init(
    from startHz: Double, to endHz: Double, _ start: [Float], _ end: [Float],
    _ turns: [(Float, Float)]
  ) {
    self.startHz = startHz
    octaves = log2(endHz / startHz)
    parts = (0..<max(start.count, end.count)).map { i in
      let a = i < start.count ? start[i] : 0
      let b = i < end.count ? end[i] : 0
      let (c, s) = turns[min(i, turns.count - 1)]
      return SIMD4(a * c, -a * s, (b - a) * c, -(b - a) * s)
    }
  }

  func f0Hz(at share: Double) -> Double { startHz * exp2(octaves * share) }

  func sample(at share: Float, cycles: Double) -> Float {
    let (c1, s1) = (Float(cos(2 * .pi * cycles)), Float(sin(2 * .pi * cycles)))
    var (c, s) = (Float(1), Float(0))
    var sum: Float = 0
    for part in parts {
      (c, s) = (c * c1 - s * s1, s * c1 + c * s1)
      sum += (part[0] + share * part[2]) * c + (part[1] + share * part[3]) * s
    }
    return sum
  }
}
