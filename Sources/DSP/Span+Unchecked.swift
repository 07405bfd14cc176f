// Unchecked access for loops that checks would keep from being vectorized. A `precondition` before
// such a loop checks its bounds.

extension Span where Element: BitwiseCopyable {
  /// The element at `index`, without a check.
  @inlinable public subscript(inBounds index: Int) -> Element {
    @inline(__always) @_semantics("no_performance_analysis") get { unsafe self[unchecked: index] }
  }
}

extension Span where Element: SIMDScalar & BitwiseCopyable {
  /// Eight elements in a row from `index`, without a check.
  @inlinable public subscript(uncheckedEightAt index: Int) -> SIMD8<Element> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      var eight = SIMD8<Element>()
      for lane in 0..<8 { eight[lane] = self[inBounds: index &+ lane] }
      return eight
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

extension MutableSpan where Element: SIMDScalar & BitwiseCopyable {
  /// Writes eight elements in a row from `index` on, without a check.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public mutating func storeUnchecked(_ eight: SIMD8<Element>, at index: Int) {
    for lane in 0..<8 { self[inBounds: index &+ lane] = eight[lane] }
  }
}
