import DSP
import Foundation

/// The parts of a `HarmonicFrame` that depend on its length alone.
struct HarmonicWindow: Sendable {
  /// Hann's window and time from -1 to 1, in blocks; the weights beyond the frame are 0.
  let weights: [SIMD8<Float>]
  let times: [SIMD8<Float>]
  /// The window at each sample.
  let exactWeights: [Double]
  /// Sums of the weights times time to the powers 0 to 6.
  let moments: [Double]
  /// The weights at 64 points of the frame times time to the powers 0 to 6, power by power.
  let productWeights: [SIMD8<Float>]
  /// Time of the first sample, and between samples.
  let start: Double
  let step: Double
  let blockCount: Int

  private init(half: Int) {
    let count = 2 * half + 1
    blockCount = (count + HarmonicModel.blockCount - 1) / HarmonicModel.blockCount
    let width = blockCount * HarmonicModel.blockCount / 8
    step = 1 / Double(half + 1)
    start = -Double(half) * step
    var weights = [SIMD8<Float>](repeating: .zero, count: width)
    var times = weights
    var exactWeights: [Double] = []
    var moments = [Double](repeating: 0, count: 7)
    for n in 0..<count {
      let u = start + Double(n) * step
      let weight = Window.hann.value(at: u)
      weights[n / 8][n % 8] = Float(weight)
      times[n / 8][n % 8] = Float(u)
      exactWeights.append(weight)
      var power = weight
      for order in 0..<7 {
        moments[order] += power
        power *= u
      }
    }
    (self.weights, self.times, self.exactWeights) = (weights, times, exactWeights)
    self.moments = moments
    productWeights = Self.productWeights(sampleStep: step)
  }

  private static func productWeights(sampleStep: Double) -> [SIMD8<Float>] {
    let width = HarmonicModel.blockCount / 8
    let step = 2 / Double(HarmonicModel.blockCount)
    var weights = [SIMD8<Float>](repeating: .zero, count: 7 * width)
    for n in 0..<HarmonicModel.blockCount {
      let u = -1 + step * (Double(n) + 0.5)
      var weight = (0.5 + 0.5 * cos(.pi * u)) * step / sampleStep
      for power in 0..<7 {
        weights[power * width + n / 8][n % 8] = Float(weight)
        weight *= u
      }
    }
    return weights
  }

  /// Windows of about 10 kB each.
  private static let known = TableCache<Int, HarmonicWindow>(limit: 1000)

  /// Returns the window of `half` samples to either side of the centre; makes it the first time.
  static func shared(half: Int) -> HarmonicWindow {
    known(half) { HarmonicWindow(half: half) }
  }
}
