import DSP

extension Float {
  /// The value, or 0 where it is inaudible: subnormal numbers cost a processor many times the time.
  @inline(__always) var flushed: Float {
    @_noLocks get { abs(self) > 1e-18 ? self : 0 }
  }
}

extension Double {
  /// The value, or 0 where it is inaudible.
  @inline(__always) var flushed: Double {
    @_noLocks get { abs(self) < 1e-20 ? 0 : self }
  }
}

extension SIMD16<Float> {
  /// `Float.flushed` of every lane.
  @inline(__always) var flushed: SIMD16<Float> {
    @_noLocks get { replacing(with: 0, where: (self * self) .< 1e-36) }
  }
}

extension SIMD2<Float> {
  /// `flushed` of both lanes.
  @inline(__always) var flushed: Self { @_noLocks get { Self(x.flushed, y.flushed) } }

  /// The same numbers in double precision.
  @inline(__always) var wide: SIMD2<Double> {
    @_noLocks get { SIMD2<Double>(Double(x), Double(y)) }
  }

  /// The larger magnitude of both lanes.
  @inline(__always) var peak: Float {
    @_noLocks get { abs(x) > abs(y) ? abs(x) : abs(y) }
  }
}

extension SIMD2<Double> {
  /// `flushed` of both lanes.
  @inline(__always) var flushed: Self { @_noLocks get { Self(x.flushed, y.flushed) } }

  /// The same numbers in single precision.
  @inline(__always) var narrow: SIMD2<Float> {
    @_noLocks get { SIMD2<Float>(Float(x), Float(y)) }
  }
}

/// Conversions between levels in dB and amplitudes.
///
/// - Cost: one power or logarithm to base 2; never allocates or locks.
enum Decibels {
  /// The amplitude of a level: 1 at 0 dB, 10 at 20 dB.
  @_noLocks static func gain(_ db: Double) -> Float {
    Float(RealtimeMath.exp2(db * 0.16609640474436813))  // log2(10) / 20
  }

  /// The level in dB, at least -200.
  @_noLocks static func level(_ amplitude: Float) -> Double {
    6.020599913279624 * RealtimeMath.log2(max(Double(amplitude), 1e-10))  // 20 log10(2)
  }
}
