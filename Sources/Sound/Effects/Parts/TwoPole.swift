import DSP

/// A second-order filter for two channels, whose corner may change with every sample.
///
/// It returns its band-pass and low-pass; other responses are sums of these and the input. The
/// band-pass times `damping` is 1 at the corner; input - damping x band - low is the high-pass.
///
/// - Cost: a division and ten operations a sample, for both channels. Allocates: nothing.
/// - Source: the trapezoidal state-variable filter of Simper, "Solving the continuous SVF equations
///   using trapezoidal integration and equivalent currents", 2013.
struct TwoPole {
  private var first = SIMD2<Double>.zero
  private var second = SIMD2<Double>.zero

  @_noLocks mutating func reset() { (first, second) = (.zero, .zero) }

  /// - Parameters:
  ///   - tangent: the tangent of pi times the corner over the sample rate.
  ///   - damping: 1/Q.
  @inline(__always) @_noLocks mutating func take(
    _ input: SIMD2<Double>, tangent: Double, damping: Double
  ) -> (band: SIMD2<Double>, low: SIMD2<Double>) {
    let share = 1 / (1 + tangent * (tangent + damping))
    let rest = input - second
    let band = share * (first + tangent * rest)
    let low = second + tangent * band
    first = (2 * band - first).flushed
    second = (2 * low - second).flushed
    return (band, low)
  }

  /// The tangent for a corner, limited to 0.45 of the sample rate.
  @_noLocks static func tangent(hz: Double, sampleRateHz: Double) -> Double {
    RealtimeMath.tangent(.pi * min(hz, 0.45 * sampleRateHz) / sampleRateHz)
  }
}
