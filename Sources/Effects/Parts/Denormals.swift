extension Float {
  /// The same, but 0 under 1e-18, where nothing is heard: so that what fades away ends as silence
  /// and not as denormal numbers, which cost a processor many times the time.
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
  /// The same, but 0 under 1e-20: what a filter remembers reaches true silence.
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
