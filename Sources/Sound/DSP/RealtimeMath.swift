import Foundation

/// Functions of the C library and the processor that neither lock nor allocate, which the compiler
/// can't tell.
public enum RealtimeMath {
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func log2(_ value: Double) -> Double { Foundation.log2(value) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func exp2(_ value: Double) -> Double { Foundation.exp2(value) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func exp(_ value: Double) -> Double { Foundation.exp(value) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func log10(_ value: Double) -> Double { Foundation.log10(value) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    Foundation.pow(base, exponent)
  }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func root(_ value: Double) -> Double { value.squareRoot() }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func root(_ value: Float) -> Float { value.squareRoot() }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func root(_ value: SIMD8<Float>) -> SIMD8<Float> { value.squareRoot() }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func cosine(_ angle: Double) -> Double { Foundation.cos(angle) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func sine(_ angle: Double) -> Double { Foundation.sin(angle) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func tangent(_ angle: Double) -> Double { Foundation.tan(angle) }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func hyperbolicTangent(_ value: Double) -> Double { Foundation.tanh(value) }

  /// The angle of the point (x, y), from -pi to pi.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func angle(_ y: Double, _ x: Double) -> Double { Foundation.atan2(y, x) }
}

extension Float {
  /// The sample, or 0 if it is no sound: not a number, or more than 60 dB above full scale.
  @inlinable @inline(__always) package var soundOrZero: Float {
    @_noLocks get { magnitude <= 1000 ? self : 0 }
  }
}

/// The least power of two above a count that is not negative.
@inlinable @inline(__always) @_noLocks package func powerOfTwo(above count: Int) -> Int {
  1 << (Int.bitWidth - count.leadingZeroBitCount)
}

/// The greatest integer not above `value`, which must fit an `Int`. Never allocates or locks.
@inlinable @inline(__always) @_noLocks package func floorOf(_ value: Double) -> Int {
  let whole = Int(value)
  return Double(whole) > value ? whole - 1 : whole
}

/// The integer nearest to `value`, which must fit an `Int`; ties go up. Never allocates or locks.
@inlinable @inline(__always) @_noLocks package func nearestOf(_ value: Double) -> Int {
  floorOf(value + 0.5)
}
