import DSP
import Foundation

/// The residual of linear prediction, gathered where it rises at once.
struct PredictionResidual {
  /// The residual after the reversed filter gathers it, scaled so that white noise keeps its level.
  private(set) var height: [Double]
  /// The prediction filter of each hop.
  private var filters: [[Double]] = []
  private let hop: Int
  /// The sound between as much silence as the filters and frames reach into.
  private let padded: [Double]
  /// Samples of silence before the sound.
  private let before: Int

  /// Predicts in frames of 43 ms that overlap by half; each yields its middle half. Added noise at
  /// -100 dBFS keeps the filter from modelling inaudible detail.
  init(of signal: Signal) {
    let rateHz = signal.sampleRateHz
    let order = min(32, max(12, Int(rateHz / 1500)))
    hop = max(4 * order, Int(rateHz * 0.0213))
    let frame = 2 * hop
    let taper = Window.hann.samples(frame)
    let count = signal.count
    height = Array(repeating: 0, count: count)
    var random = SeededGenerator(seed: 1)
    before = hop / 2 + order
    padded =
      Array(repeating: 0.0, count: before) + signal.samples.map { Double($0) }
      + Array(repeating: 0.0, count: 2 * frame)
    for start in stride(from: 0, to: count, by: hop) {
      let first = start + before - hop / 2
      let tapered = (0..<frame).map {
        taper[$0] * (padded[first + $0] + 3.4e-5 * (random.uniform() - 0.5))
      }
      let filter = LinearPrediction(burg: tapered, order: order).coefficients
      filters.append(filter)
      let scale = filter.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let errors = errors(from: start, count: hop + order, filter)
      let gathered = Self.products(filter, with: errors, from: 0, count: hop)
      for offset in 0..<min(hop, count - start) {
        height[start + offset] = abs(gathered[offset]) / scale
      }
    }
  }

  /// Returns the height of the spike, or the size of the step, that explains the errors of
  /// prediction from a sample on best; full scale is 1.
  func size(at place: Int) -> Double {
    let spike = filters[place / hop]
    let step = spike.indices.map { spike[...$0].reduce(0, +) }
    let errors = errors(from: place, count: spike.count, spike)
    return [spike, step].map { shape in
      let product = zip(shape, errors).reduce(0) { $0 + $1.0 * $1.1 }
      let energy = shape.reduce(0) { $0 + $1 * $1 }
      return (size: abs(product) / energy, explained: product * product / energy)
    }.max { $0.explained < $1.explained }!.size
  }

  /// Returns what a filter does not predict of `count` samples from `place` on.
  private func errors(from place: Int, count: Int, _ filter: [Double]) -> [Double] {
    let first = place + before - (filter.count - 1)
    return Self.products(filter.reversed(), with: padded, from: first, count: count)
  }

  /// Returns the dot products of a filter with the stretches of a sound that begin at each of `count`
  /// samples from `first` on.
  private static func products(
    _ filter: [Double], with sound: [Double], from first: Int, count: Int
  ) -> [Double] {
    precondition(
      first >= 0 && first + count + filter.count - 1 <= sound.count, "stretches of the sound")
    var products = [Double](repeating: 0, count: count)
    var sums = products.mutableSpan
    let samples = sound.span
    for (tap, factor) in filter.enumerated() {
      for i in 0..<count { sums[inBounds: i] += factor * samples[inBounds: first + tap + i] }
    }
    return products
  }
}
