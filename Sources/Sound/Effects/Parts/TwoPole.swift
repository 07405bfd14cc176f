import DSP

/// A second-order filter for two channels, whose corner may change with every sample: the one state
/// variable filter under all others.
///
/// It returns its band-pass and low-pass; other responses are sums of these and the input. The
/// band-pass times `damping` is 1 at the corner; input - damping x band - low is the high-pass. Its
/// state is that of the two integrators of an analogue filter, which doesn't depend on the corner. A
/// change therefore makes no jump and is stable at any speed.
///
/// - Cost: a division and ten operations a sample, for both channels. Allocates: nothing.
/// - Source: the trapezoidal state-variable filter of Simper, "Solving the continuous SVF equations
///   using trapezoidal integration and equivalent currents", 2013; stability under change: Wishnick,
///   "Time-varying filters for musical applications", DAFx-14, 2014.
struct TwoPole<Scalar: SIMDScalar> {
  private var first: SIMD2<Scalar>
  private var second: SIMD2<Scalar>
}

// The audio thread calls no generic function, so the formula stands once for each precision.

extension TwoPole<Double> {
  @_noLocks init() { (first, second) = (.zero, .zero) }

  @_noLocks mutating func reset() { (first, second) = (.zero, .zero) }

  /// - Parameters:
  ///   - tangent: the tangent of pi times the corner over the sample rate.
  ///   - damping: 1/Q.
  @inline(__always) @_noLocks mutating func next(
    _ input: SIMD2<Double>, tangent: Double, damping: Double
  ) -> (band: SIMD2<Double>, low: SIMD2<Double>) {
    next(input, tangent: tangent, share: Self.share(tangent: tangent, damping: damping))
  }

  /// - Parameter share: of `tangent` and damping, for a filter that seldom changes.
  @inline(__always) @_noLocks mutating func next(
    _ input: SIMD2<Double>, tangent: Double, share: Double
  ) -> (band: SIMD2<Double>, low: SIMD2<Double>) {
    let rest = input - second
    let band = share * (first + tangent * rest)
    let low = second + tangent * band
    first = (2 * band - first).flushed
    second = (2 * low - second).flushed
    return (band, low)
  }

  @inline(__always) @_noLocks static func share(tangent: Double, damping: Double) -> Double {
    1 / (1 + tangent * (tangent + damping))
  }
}

extension TwoPole<Float> {
  @_noLocks init() { (first, second) = (.zero, .zero) }

  @_noLocks mutating func reset() { (first, second) = (.zero, .zero) }

  /// The same as for `Double`.
  @inline(__always) @_noLocks mutating func next(
    _ input: SIMD2<Float>, tangent: Float, damping: Float
  ) -> (band: SIMD2<Float>, low: SIMD2<Float>) {
    let share = 1 / (1 + tangent * (tangent + damping))
    let rest = input - second
    let band = share * (first + tangent * rest)
    let low = second + tangent * band
    first = (2 * band - first).flushed
    second = (2 * low - second).flushed
    return (band, low)
  }
}

/// Returns the tangent for a corner, limited to 0.45 of the sample rate.
@_noLocks func cornerTangent(hz: Double, sampleRateHz: Double) -> Double {
  RealtimeMath.tangent(.pi * min(hz, 0.45 * sampleRateHz) / sampleRateHz)
}

extension TwoPole: Sendable where Scalar: Sendable, Scalar.SIMD2Storage: Sendable {}
