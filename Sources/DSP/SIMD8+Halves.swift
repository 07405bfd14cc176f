extension SIMD8<Float> {
  /// Of all lanes of this and of another, by halves and both at once: for `sum()`, which adds one lane
  /// after the other, the compiler takes apart whatever led to them.
  @inlinable @inline(__always) @_noLocks public func sums(_ other: Self) -> SIMD2<Float> {
    let (a, b) = (lowHalf + highHalf, other.lowHalf + other.highHalf)
    let halves =
      SIMD4(lowHalf: a.lowHalf, highHalf: b.lowHalf)
      + SIMD4(lowHalf: a.highHalf, highHalf: b.highHalf)
    return halves.evenHalf + halves.oddHalf
  }

  /// The high half first.
  @inlinable public var halvesSwapped: Self {
    @inline(__always) @_noLocks get { Self(lowHalf: highHalf, highHalf: lowHalf) }
  }

  /// The last lane first.
  @inlinable public var reversed: Self {
    @inline(__always) @_noLocks get {
      Self(self[7], self[6], self[5], self[4], self[3], self[2], self[1], self[0])
    }
  }
}
