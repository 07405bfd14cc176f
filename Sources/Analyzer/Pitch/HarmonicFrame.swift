import DSP
import Foundation

/// A stretch of sound under a Hann weight, laid out in blocks of 64 samples for `HarmonicModel`.
///
/// Times in it run from -1 to 1, in units of `halfSeconds`.
struct HarmonicFrame {
  /// The blocks' last samples may lie beyond the stretch; their weight is 0.
  let samples: [SIMD8<Float>]
  let weights: [SIMD8<Float>]
  let times: [SIMD8<Float>]
  let blockCount: Int
  /// Half the length of the window.
  let halfSeconds: Double
  /// Time of the first sample, and from one to the next.
  let start: Double
  let step: Double
  /// Sums of the weights times the powers 0 to 6 of time.
  let moments: [Double]
  /// Weighted.
  let energy: Double

  /// Reaches `half` samples to either side of `centre`; `nil` where the sound does not.
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

  /// What white noise of variance 1 adds to `energy`.
  var weightSum: Double { moments[0] }
  /// The weight enters the normal equations once, but the noise that it lets through twice: by
  /// this much less does noise move an amplitude than the equations say. Hann's own.
  static let amplitudeNoise = 0.75
  /// The same for the pitch, by the number of coefficients of its phase.
  static let pitchNoise = [1.0, 0.459, 0.459, 0.625]
}
