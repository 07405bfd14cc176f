import DSP
import Foundation

/// A Hann-weighted frame of sound, arranged in blocks of 64 samples for `HarmonicModel`.
///
/// Time in the frame runs from -1 to 1, in units of `halfSeconds`.
struct HarmonicFrame {
  /// Samples in blocks; those of the last block beyond the frame have weight 0.
  let samples: [SIMD8<Float>]
  let window: HarmonicWindow
  /// Half the length of the window.
  let halfSeconds: Double
  /// Weighted energy.
  let energy: Double

  /// Creates a frame of `half` samples to either side of `centre`; `nil` if it exceeds the sound.
  init?(_ signal: Signal, centre: Int, half: Int) {
    guard half > 0, centre >= half, centre + half < signal.count else { return nil }
    window = .shared(half: half)
    halfSeconds = Double(half + 1) / signal.sampleRateHz
    let first = centre - half
    let count = 2 * half + 1
    let sound = signal.samples.span
    precondition(first >= 0 && first + count <= sound.count)
    var samples = [SIMD8<Float>](repeating: .zero, count: window.weights.count)
    for group in 0..<count / 8 { samples[group] = sound[uncheckedEightAt: first + 8 * group] }
    for n in count / 8 * 8..<count { samples[n / 8][n % 8] = sound[first + n] }
    self.samples = samples
    var energy = 0.0
    for (n, weight) in window.exactWeights.enumerated() {
      let sample = Double(sound[inBounds: first + n])
      energy += weight * sample * sample
    }
    self.energy = energy
  }

  /// The expected `energy` of white noise of variance 1.
  var weightSum: Double { window.moments[0] }
  /// Ratio of the variance of an amplitude to that of the normal equations, for Hann's window: the
  /// weight enters the equations once but the noise twice.
  static let amplitudeNoise = 0.75
  /// The same ratio for the pitch, by the number of coefficients of its phase.
  static let pitchNoise = [1.0, 0.459, 0.459, 0.625]
}
