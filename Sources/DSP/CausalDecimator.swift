import Foundation

/// Low-passes a stream and keeps every so-many-th sample, at once and with a known delay.
///
/// A symmetric windowed sinc (Kaiser, 60 dB down from `stopHz` on): every frequency is delayed by
/// the same `delaySamples`.
///
/// - Cost: one multiplication a tap and kept sample. Allocates in `init` only.
/// - Source: Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983; Kaiser's formulas
///   as in Oppenheim and Schafer, 7.6.
public struct CausalDecimator: ~Copyable {
  /// Samples taken for each one given.
  public let factor: Int
  /// From a sound coming in to the same sound leaving, in samples of the input.
  public let delaySamples: Double
  private let tapCount: Int  // a multiple of 8; the oldest may be 0
  private let taps: FloatBuffer  // the newest first
  private var past: FloatBuffer  // twice over, the newest first, so that any stretch is in a row
  private var newest = 0  // index in `past`
  private var waiting = 0  // samples since the last that was kept

  /// - Parameters:
  ///   - passHz: the band up to here stays as it is, within a thousandth.
  ///   - stopHz: from here on nothing is left, or all there is stays if it is above half the rate.
  public init(factor: Int, passHz: Double, stopHz: Double, sampleRateHz: Double) {
    precondition(factor > 0 && 0 < passHz && passHz < stopHz, "a band to keep and one to stop")
    self.factor = factor
    let cutoff = (passHz + stopHz) / sampleRateHz  // of half the rate
    let steepness = 2 * Double.pi * (stopHz - passHz) / sampleRateHz
    let half = cutoff >= 1 ? 0 : Int(((60 - 7.95) / (2.285 * steepness) / 2).rounded(.up))
    let coefficients = (-half...half).map { offset in
      let x = Double(offset)
      let sinc = x == 0 ? cutoff : sin(.pi * cutoff * x) / (.pi * x)
      return sinc * Window.kaiser(beta: 5.65).value(at: x / Double(half + 1))
    }
    let sum = coefficients.reduce(0, +)
    tapCount = (coefficients.count + 7) / 8 * 8
    let padding = [Float](repeating: 0, count: tapCount - coefficients.count)
    taps = FloatBuffer(coefficients.map { Float($0 / sum) } + padding)
    past = FloatBuffer(count: 2 * tapCount)
    delaySamples = Double(half)
  }

  @_noLocks public mutating func reset() {
    past.clear()
    newest = 0
    waiting = 0
  }

  /// Takes a sample; gives one for every `factor`, with the last of them.
  @_noLocks public mutating func take(_ sample: Float) -> Float? {
    newest = newest == 0 ? tapCount - 1 : newest - 1
    past[newest] = sample
    past[newest + tapCount] = sample
    waiting += 1
    guard waiting == factor else { return nil }
    waiting = 0
    return filtered()
  }

  @_noLocks private func filtered() -> Float {
    var lanes = SIMD8<Float>.zero
    for i in stride(from: 0, to: tapCount, by: 8) {
      lanes += taps[eightAt: i] * past[eightAt: newest + i]
    }
    return lanes.sum()
  }
}
