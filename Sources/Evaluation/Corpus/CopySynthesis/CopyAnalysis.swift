import Analyzer
import DSP
import Foundation

/// Splits a voice into harmonics and noise.
///
/// A voiced frame is resampled at points that divide four periods evenly, even during a glide. Under
/// a Hann window the harmonics then fall on every fourth bin of the spectrum and are zero at the bins
/// halfway between, so the power at those bins is noise.
struct CopyAnalysis {
  /// Number of noise values in a frame.
  static let noiseCount = 257
  private static let periods = 4

  let frames: [CopyFrame]

  init(of signal: Signal, _ track: PitchTrack) {
    // At twice the rate, cubic interpolation adds no audible error.
    let fine = signal.resampled(to: 2 * signal.sampleRateHz)
    var periodic: [Int: WindowedTransform] = [:]
    var still = WindowedTransform(count: 2 * (Self.noiseCount - 1))
    frames = track.f0Hz.indices.map { index in
      let (time, f0) = (Double(index) * track.hopSeconds, track.f0Hz[index])
      guard f0 > 0 else { return Self.unvoiced(signal, atSeconds: time, &still) }
      let points = Convolution.roundedUp(Int((signal.sampleRateHz / f0).rounded(.up)))
      let transform = periodic[points] ?? WindowedTransform(count: Self.periods * points)
      periodic[points] = transform
      let cut = Self.points(
        of: fine, atSeconds: time, f0Hz: f0, slope: Self.slope(of: track, at: index),
        perPeriod: points)
      return Self.voiced(
        transform.spectrum(of: cut), transform, f0Hz: f0, points: points,
        sampleRateHz: signal.sampleRateHz)
    }
  }

  /// Returns the change of pitch in hertz per second, from the voiced neighbours.
  private static func slope(of track: PitchTrack, at index: Int) -> Double {
    let here = track.f0Hz[index]
    func neighbour(_ step: Int) -> Double {
      let at = index + step
      return track.f0Hz.indices.contains(at) && track.f0Hz[at] > 0 ? track.f0Hz[at] : here
    }
    let (before, after) = (neighbour(-1), neighbour(1))
    let steps = (before == here ? 0.0 : 1) + (after == here ? 0.0 : 1)
    return steps == 0 ? 0 : (after - before) / (steps * track.hopSeconds)
  }

  /// Returns the sound at even steps of phase around an instant.
  private static func points(
    of fine: Signal, atSeconds time: Double, f0Hz: Double, slope: Double, perPeriod: Int
  ) -> [Float] {
    let count = periods * perPeriod
    return (0..<count).map { index in
      let cycles = (Double(index) - Double(count / 2)) / Double(perPeriod)
      var seconds = cycles / f0Hz
      // Newton's method on the phase. A glide bends it by less than 1 %, so two steps are enough.
      for _ in 0..<2 {
        let rate = max(f0Hz / 2, f0Hz + slope * seconds)
        seconds -= (f0Hz * seconds + slope * seconds * seconds / 2 - cycles) / rate
      }
      return fine.cubic(at: (time + seconds) * fine.sampleRateHz)
    }
  }

  private static func voiced(
    _ powers: [Float], _ transform: WindowedTransform, f0Hz: Double, points: Int,
    sampleRateHz: Double
  ) -> CopyFrame {
    let count = Int(0.47 * sampleRateHz / f0Hz)
    // The bins halfway below each harmonic and above the last; a mean of five varies less.
    let halfway = (0...count).map { powers[periods * $0 + periods / 2] }
    let noise = halfway.indices.map { i in
      let near = halfway[max(0, i - 2)...min(count, i + 2)]
      return near.reduce(0, +) / Float(near.count)
    }
    let harmonics = (0..<count).map { i -> Float in
      let clean = powers[periods * (i + 1)] - (noise[i] + noise[i + 1]) / 2
      return 2 * max(0, clean).squareRoot() / transform.windowSum
    }
    // The points have a sample rate of their own; the density is per hertz.
    let scale = Float(sampleRateHz / (f0Hz * Double(points))) / transform.windowEnergy
    let density = (0..<noiseCount).map { step -> Float in
      let hz = Double(step) / Double(noiseCount - 1) * sampleRateHz / 2
      let position = max(0, min(Double(count), hz / f0Hz - 0.5))
      let below = min(Int(position), count - 1)
      let share = Float(position - Double(below))
      return (noise[below] + share * (noise[below + 1] - noise[below])) * scale
    }
    return CopyFrame(f0Hz: f0Hz, harmonics: harmonics, noise: density)
  }

  private static func unvoiced(
    _ signal: Signal, atSeconds time: Double, _ transform: inout WindowedTransform
  ) -> CopyFrame {
    let start = Int((time * signal.sampleRateHz).rounded()) - transform.count / 2
    let cut = (0..<transform.count).map { i -> Float in
      signal.samples.indices.contains(start + i) ? signal.samples[start + i] : 0
    }
    let powers = transform.spectrum(of: cut)
    // A single spectrum of noise varies as much as the noise; a mean of seven bins is smoother.
    let noise = (0..<noiseCount).map { i -> Float in
      let near = powers[max(0, i - 3)...min(noiseCount - 1, i + 3)]
      return near.reduce(0, +) / Float(near.count) / transform.windowEnergy
    }
    return CopyFrame(f0Hz: 0, harmonics: [], noise: noise)
  }
}

/// Computes power spectra under a periodic Hann window of one length.
private final class WindowedTransform {
  let count: Int
  let windowSum: Float
  let windowEnergy: Float
  private let window: [Float]
  private var transform: FourierTransform

  init(count: Int) {
    self.count = count
    window = Window.hann.samples(count + 1).dropLast().map { Float($0) }
    windowSum = window.reduce(0, +)
    windowEnergy = window.reduce(0) { $0 + $1 * $1 }
    transform = FourierTransform(count: count)
  }

  func spectrum(of samples: [Float]) -> [Float] {
    let tapered = zip(samples, window).map { $0 * $1 }
    transform.forward(tapered.span)
    return (0..<transform.binCount).map { transform[$0].power }
  }
}

extension Signal {
  /// Interpolates on the cubic through the four nearest samples; returns 0 outside.
  fileprivate func cubic(at position: Double) -> Float {
    let whole = Int(position.rounded(.down))
    guard whole >= 1, whole + 2 < count else { return 0 }
    let x = Float(position - Double(whole))
    let (a, b, c, d) = (samples[whole - 1], samples[whole], samples[whole + 1], samples[whole + 2])
    // Lagrange's form.
    let (l, m, r) = (x + 1, x - 1, x - 2)
    return -a * x * m * r / 6 + b * l * m * r / 2 - c * l * x * r / 2 + d * l * x * m / 6
  }
}
