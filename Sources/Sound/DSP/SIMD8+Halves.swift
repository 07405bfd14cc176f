extension SIMD8<Float> {
  /// The sums of all lanes of this and of another vector, added in halves. `sum()` adds lane by
  /// lane, for which the compiler would split the preceding vector code.
  @inlinable @inline(__always) @_noLocks public func sums(_ other: Self) -> SIMD2<Float> {
    let (a, b) = (lowHalf + highHalf, other.lowHalf + other.highHalf)
    let halves =
      SIMD4(lowHalf: a.lowHalf, highHalf: b.lowHalf)
      + SIMD4(lowHalf: a.highHalf, highHalf: b.highHalf)
    return halves.evenHalf + halves.oddHalf
  }

  /// The vector with its halves swapped.
  @inlinable public var halvesSwapped: Self {
    @inline(__always) @_noLocks get { Self(lowHalf: highHalf, highHalf: lowHalf) }
  }

  /// The lanes in reverse order.
  @inlinable public var reversed: Self {
    @inline(__always) @_noLocks get {
      Self(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0])
    }
  }
}
