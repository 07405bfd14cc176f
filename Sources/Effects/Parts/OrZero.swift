extension Double {
  /// 0 for what is far too small to be heard: filters that ring out reach true silence before the
  /// slow numbers near the bottom of the range.
  @inline(__always) var orZero: Double { @_noLocks get { abs(self) < 1e-20 ? 0 : self } }
}

extension Float {
  /// 0 for what is far too small to be heard.
  @inline(__always) var orZero: Float { @_noLocks get { abs(self) < 1e-20 ? 0 : self } }
}

extension SIMD2<Double> {
  /// 0 for what is far too small to be heard.
  @inline(__always) var orZero: SIMD2<Double> {
    @_noLocks get { SIMD2(self[0].orZero, self[1].orZero) }
  }
}
