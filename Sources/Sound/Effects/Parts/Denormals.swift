extension Float {
  /// The value, or 0 below 1e-18, which is inaudible: a decay ends in zeros, not in subnormal
  /// numbers, which cost a processor many times the time.
  @inline(__always) var flushed: Float {
    @_noLocks get { abs(self) > 1e-18 ? self : 0 }
  }
}

extension SIMD2<Float> {
  /// `Float.flushed` of both lanes.
  @inline(__always) var flushed: SIMD2<Float> {
    @_noLocks get { SIMD2(x.flushed, y.flushed) }
  }
}

extension SIMD16<Float> {
  /// `Float.flushed` of every lane.
  @inline(__always) var flushed: SIMD16<Float> {
    @_noLocks get { replacing(with: 0, where: (self * self) .< 1e-36) }
  }
}

extension Double {
  /// The value, or 0 below 1e-20, so that a filter's state decays to exact silence.
  @inline(__always) var flushed: Double {
    @_noLocks get { abs(self) < 1e-20 ? 0 : self }
  }
}

extension SIMD2<Double> {
  /// `Double.flushed` of both lanes.
  @inline(__always) var flushed: SIMD2<Double> {
    @_noLocks get { SIMD2(x.flushed, y.flushed) }
  }
}
