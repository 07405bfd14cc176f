/// Value that a filter processes: the samples of one sound, or of several side by side.
package protocol FilterValue: Sendable {
  init(repeating value: Double)
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
}

extension Double: FilterValue {
  @inlinable package init(repeating value: Double) { self = value }
}
extension SIMD2: FilterValue where Scalar == Double {}
extension SIMD4: FilterValue where Scalar == Double {}
extension SIMD8: FilterValue where Scalar == Double {}

/// A second-order filter in transposed direct form II; coefficients may differ between lanes.
package struct Biquad<Value: FilterValue>: Sendable {
  @usableFromInline package let b0: Value
  @usableFromInline package let b1: Value
  @usableFromInline package let b2: Value
  @usableFromInline package let a1: Value
  @usableFromInline package let a2: Value
  @usableFromInline var s1 = Value(repeating: 0)
  @usableFromInline var s2 = Value(repeating: 0)

  @inlinable @inline(__always) package init(b0: Value, b1: Value, b2: Value, a1: Value, a2: Value) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }

  /// Inlined wherever it is called: a generic step looks each operation up in a table.
  @inlinable @inline(__always) package mutating func next(_ input: Value) -> Value {
    let output = b0 * input + s1
    s1 = b1 * input - a1 * output + s2
    s2 = b2 * input - a2 * output
    return output
  }
}

extension Biquad<Double> {
  // The audio thread calls no generic function.
  @_noLocks @inlinable package mutating func next(_ input: Double) -> Double {
    let output = b0 * input + s1
    s1 = b1 * input - a1 * output + s2
    s2 = b2 * input - a2 * output
    return output
  }

  @_noLocks package mutating func reset() { (s1, s2) = (0, 0) }

  /// Sets numbers near 0 to 0: denormal ones would make silence cost more than sound.
  @_noLocks package mutating func flush() {
    if s1.magnitude + s2.magnitude < 1e-20 { reset() }
  }
}
