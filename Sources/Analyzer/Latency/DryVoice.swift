import DSP
import Foundation

/// The dry voice inside an output that also holds transposed ones, and the output without it.
///
/// The dry voice is what a filter of 17 taps about the lag of the best correlation makes of the
/// input, by least squares over the whole sound: a gain, a delay in fractions of a sample, and a
/// mild equalizer. A compressor or a reverb on it leaves a rest.
///
/// - Cost: two Fourier transforms of the sounds' length, and 170 products per sample. Allocates.
public struct DryVoice: Sendable {
  /// The output without the dry voice.
  public let rest: Signal

  private static let reach = 8
  /// Regularization of the taps: band-limited sound leaves them undetermined.
  private static let ridge = 1e-6
  /// Smallest correlation of an output that holds the dry voice beside several others.
  private static let minCorrelation = 0.1

  /// - Throws: where the waveform of the input is not in the output.
  public init(in output: Signal, from input: Signal) throws(Unmeasurable) {
    let found = try WaveformDelay(of: output, from: input, minCorrelation: Self.minCorrelation)
    let (x, y) = (input.samples, output.samples.map(Double.init))
    let tapCount = (-Self.reach...Self.reach).count
    // The input from the longest lag on, in which each shorter one begins a sample later.
    let longest = Int(found.delaySamples.rounded()) + Self.reach
    let moved = (-longest..<y.count + tapCount - 1 - longest).map {
      x.indices.contains($0) ? Double(x[$0]) : 0
    }
    var products = SymmetricMatrix(count: tapCount)
    var right: [Double] = []
    moved.withUnsafeBufferPointer { moved in
      func column(_ lag: Int) -> UnsafePointer<Double> {
        moved.baseAddress! + (tapCount - 1 - lag)
      }
      for row in 0..<tapCount {
        for lag in 0...row { products[row, lag] = sumOfProducts(column(row), column(lag), y.count) }
        products[row, row] *= 1 + Self.ridge
        right.append(sumOfProducts(column(row), y, y.count))
      }
    }
    guard let taps = products.factored()?.solved(right) else {
      throw Unmeasurable(.silent, "one of the sounds is silent")
    }
    var dry = [Double](repeating: 0, count: y.count)
    for (lag, tap) in taps.enumerated() {
      for i in dry.indices { dry[i] += tap * moved[i + tapCount - 1 - lag] }
    }
    rest = Signal(
      zip(output.samples, dry).map { $0 - Float($1) }, sampleRateHz: output.sampleRateHz)
  }
}
