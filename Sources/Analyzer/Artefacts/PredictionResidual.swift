import DSP
import Foundation

/// The residual of linear prediction, sample by sample.
struct PredictionResidual {
  /// The prediction residual.
  var residual: [Double]
  /// The residual after the reversed filter gathers it, scaled so that white noise keeps its level.
  var height: [Double]

  /// Predicts in frames of 43 ms that overlap by half; each yields its middle half. Added noise at
  /// -100 dBFS keeps the filter from modelling inaudible detail.
  init(of signal: Signal) {
    let rateHz = signal.sampleRateHz
    let order = min(32, max(12, Int(rateHz / 1500)))
    let hop = max(4 * order, Int(rateHz * 0.0213))
    let frame = 2 * hop
    let taper = Window.hann.samples(frame)
    let count = signal.count
    residual = Array(repeating: 0, count: count)
    height = residual
    var random = SeededGenerator(seed: 1)
    // Pad with half a frame of silence before and two frames after, which the filter reaches into.
    let before = hop / 2 + order
    let padded =
      Array(repeating: 0.0, count: before) + signal.samples.map { Double($0) }
      + Array(repeating: 0.0, count: 2 * frame)
    for start in stride(from: 0, to: count, by: hop) {
      let first = start + before - hop / 2
      let tapered = (0..<frame).map {
        taper[$0] * (padded[first + $0] + 3.4e-5 * (random.uniform() - 0.5))
      }
      let filter = LinearPrediction(burg: tapered, order: order).coefficients
      let backwards = Array(filter.reversed())
      let energy = filter.reduce(0) { $0 + $1 * $1 }
      let reach = start + before
      padded.withUnsafeBufferPointer { sound in
        let errors = (0..<hop + order).map { offset in
          sumOfProducts(backwards, sound.baseAddress! + reach + offset - order, order + 1)
        }
        errors.withUnsafeBufferPointer { errors in
          for offset in 0..<min(hop, count - start) {
            residual[start + offset] = errors[offset]
            height[start + offset] =
              abs(sumOfProducts(filter, errors.baseAddress! + offset, order + 1))
              / energy.squareRoot()
          }
        }
      }
    }
  }
}
