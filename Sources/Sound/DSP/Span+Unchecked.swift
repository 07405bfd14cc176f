// Unchecked access for loops that checks would keep from being vectorized. A `precondition` before
// such a loop checks its bounds.

extension Span where Element: BitwiseCopyable {
  /// The element at `index`, without a check.
  @inlinable public subscript(inBounds index: Int) -> Element {
    @inline(__always) @_semantics("no_performance_analysis") get { unsafe self[unchecked: index] }
  }
}

// Float and Double each have their own: a generic one is not specialized in other modules.

extension Span<Float> {
  /// Eight elements in a row from `index`, without a check.
  @inlinable public subscript(uncheckedEightAt index: Int) -> SIMD8<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      SIMD8(
        self[inBounds: index], self[inBounds: index &+ 1], self[inBounds: index &+ 2],
        self[inBounds: index &+ 3], self[inBounds: index &+ 4], self[inBounds: index &+ 5],
        self[inBounds: index &+ 6], self[inBounds: index &+ 7])
    }
  }
}

extension Span<Double> {
  /// Eight elements in a row from `index`, without a check.
  @inlinable public subscript(uncheckedEightAt index: Int) -> SIMD8<Double> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      SIMD8(
        self[inBounds: index], self[inBounds: index &+ 1], self[inBounds: index &+ 2],
        self[inBounds: index &+ 3], self[inBounds: index &+ 4], self[inBounds: index &+ 5],
        self[inBounds: index &+ 6], self[inBounds: index &+ 7])
    }
  }
}

extension MutableSpan where Element: BitwiseCopyable {
  /// The element at `index`, without a check.
  @inlinable public subscript(inBounds index: Int) -> Element {
    @inline(__always) @_semantics("no_performance_analysis") get { unsafe self[unchecked: index] }
    @inline(__always) @_semantics("no_performance_analysis") set {
      unsafe self[unchecked: index] = newValue
    }
  }
}

extension MutableSpan<Float> {
  /// Writes eight elements in a row from `index` on, without a check.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func storeUnchecked(_ eight: SIMD8<Float>, at index: Int) {
    for lane in 0..<8 { self[inBounds: index &+ lane] = eight[lane] }
  }
}
