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
  /// Delay of the dry voice against the input; negative if it is early.
  public let delayMs: Double
  /// Level of the dry voice relative to the input.
  public let gainDb: Double
  /// The output without the dry voice.
  public let rest: Signal

  private static let reach = 8
  /// Regularization of the taps: band-limited sound leaves them undetermined.
  private static let ridge = 1e-6
  /// Smallest correlation of an output that holds the dry voice beside several others.
  private static let minCorrelation = 0.1

  /// - Throws: where the waveform of the input is not in the output.
  public init(in output: Signal, from input: Signal) throws(Unmeasurable) {
    let found = try WaveformDelay(
      of: output, from: input, minCorrelation: Self.minCorrelation)
    let lags = (-Self.reach...Self.reach).map { Int(found.delaySamples.rounded()) + $0 }
    let (x, y) = (input.samples, output.samples)
    func moved(_ lag: Int) -> [Double] {
      y.indices.map { x.indices.contains($0 - lag) ? Double(x[$0 - lag]) : 0 }
    }
    let columns = lags.map(moved)
    var products = SymmetricMatrix(count: lags.count)
    for row in lags.indices {
      for column in 0...row { products[row, column] = dot(columns[row], columns[column]) }
      products[row, row] *= 1 + Self.ridge
    }
    let target = y.map(Double.init)
    guard let taps = products.factored()?.solved(columns.map { dot($0, target) }) else {
      throw Unmeasurable(.silent, "one of the sounds is silent")
    }
    var dry = [Double](repeating: 0, count: y.count)
    for (tap, column) in zip(taps, columns) {
      for i in dry.indices { dry[i] += tap * column[i] }
    }
    rest = Signal(
      zip(y, dry).map { $0 - Float($1) }, sampleRateHz: output.sampleRateHz)
    delayMs = found.delayMs
    gainDb =
      10
      * log10(max(dot(dry, dry), 1e-30) / max(dot(columns[Self.reach], columns[Self.reach]), 1e-30))
  }
}
