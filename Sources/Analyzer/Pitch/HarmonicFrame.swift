import DSP
import Foundation

/// A Hann-weighted frame of sound, arranged in blocks of 64 samples for `HarmonicModel`.
///
/// Time in the frame runs from -1 to 1, in units of `halfSeconds`.
struct HarmonicFrame {
  /// Samples in blocks; those of the last block beyond the frame have weight 0.
  let samples: [SIMD8<Float>]
  let weights: [SIMD8<Float>]
  let times: [SIMD8<Float>]
  let blockCount: Int
  /// Half the length of the window.
  let halfSeconds: Double
  /// Time of the first sample.
  let start: Double
  /// Time between samples.
  let step: Double
  /// Sums of the weights times time to the powers 0 to 6.
  let moments: [Double]
  /// Weighted energy.
  let energy: Double

  /// Creates a frame of `half` samples to either side of `centre`; `nil` if it exceeds the sound.
  init?(_ signal: Signal, centre: Int, half: Int) {
    guard half > 0, centre >= half, centre + half < signal.count else { return nil }
    let count = 2 * half + 1
    blockCount = (count + HarmonicModel.blockCount - 1) / HarmonicModel.blockCount
    let width = blockCount * HarmonicModel.blockCount / 8
    step = 1 / Double(half + 1)
    start = -Double(half) * step
    halfSeconds = Double(half + 1) / signal.sampleRateHz
    var samples = [SIMD8<Float>](repeating: .zero, count: width)
    var weights = samples
    var times = samples
    var moments = [Double](repeating: 0, count: 7)
    var energy = 0.0
    for n in 0..<count {
      let u = start + Double(n) * step
      let weight = Window.hann.value(at: u)
      let sample = signal.samples[centre - half + n]
      samples[n / 8][n % 8] = sample
      weights[n / 8][n % 8] = Float(weight)
      times[n / 8][n % 8] = Float(u)
      energy += weight * Double(sample) * Double(sample)
      var power = weight
      for order in 0..<7 {
        moments[order] += power
        power *= u
      }
    }
    (self.samples, self.weights, self.times) = (samples, weights, times)
    (self.moments, self.energy) = (moments, energy)
  }

  /// The expected `energy` of white noise of variance 1.
  var weightSum: Double { moments[0] }
  /// Ratio of the variance of an amplitude to that of the normal equations, for Hann's window: the
  /// weight enters the equations once but the noise twice.
  static let amplitudeNoise = 0.75
  /// The same ratio for the pitch, by the number of coefficients of its phase.
  static let pitchNoise = [1.0, 0.459, 0.459, 0.625]
}
