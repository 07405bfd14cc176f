import Foundation

/// Low-passes a stream and keeps every `factor`-th sample, without look-ahead and with a known
/// delay.
///
/// The filter is a symmetric windowed sinc (Kaiser, 60 dB down from `stopHz` on), which delays
/// every frequency by `delaySamples`.
///
/// - Cost: one multiplication a tap and kept sample. Allocates in `init` only.
/// - Source: Crochiere and Rabiner, "Multirate Digital Signal Processing", 1983; Kaiser's formulas
///   as in Oppenheim and Schafer, 7.6.
public struct CausalDecimator: ~Copyable {
  /// The number of input samples per output sample.
  public let factor: Int
  /// The delay from input to output, in input samples.
  public let delaySamples: Double
  /// The number of samples that may wait between `put` and `next`.
  public static var maxWaiting: Int { @_noLocks get { 64 } }
  private let tapCount: Int  // a multiple of 8; the oldest may be 0
  private let taps: RealtimeArray<Float>  // the oldest first
  private var past: HistoryBuffer
  private var waiting = 0  // samples since the last that was kept

  /// - Parameters:
  ///   - passHz: the upper edge of the pass band, flat within a thousandth.
  ///   - stopHz: the lower edge of the stop band; above half the rate there is none.
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
    taps = RealtimeArray(padding + coefficients.map { Float($0 / sum) })
    past = HistoryBuffer(longest: tapCount + factor + Self.maxWaiting, window: tapCount)
    delaySamples = Double(half)
  }

  @_noLocks public mutating func reset() {
    past.reset()
    waiting = 0
  }

  /// Takes a sample; returns one with every `factor`-th of them.
  @_noLocks public mutating func take(_ sample: Float) -> Float? {
    put(sample)
    return next()
  }

  /// Takes a sample, for a later `next`. Several calls in a row are faster than alternating calls,
  /// since a sum over samples that were just written waits for the writes.
  @_noLocks public mutating func put(_ sample: Float) {
    past.push(sample)
    waiting &+= 1
  }

  /// Returns the oldest sample kept and not returned yet; `nil` where there is none.
  @_noLocks public mutating func next() -> Float? {
    guard waiting >= factor else { return nil }
    waiting &-= factor
    var lanes = SIMD8<Float>.zero
    let window = past.place(of: past.count &- waiting &- tapCount)
    // The newest samples are summed first.
    var i = tapCount
    while i > 0 {
      i &-= 8
      lanes += taps[uncheckedEightAt: i] * past.eight(inWindow: window &+ i)
    }
    return lanes.reversed.sum()
  }
}

extension SIMD8<Float> {
  /// The lanes in the opposite order.
  @inlinable package var reversed: Self {
    @inline(__always) @_noLocks get {
      Self(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0])
    }
  }
}
