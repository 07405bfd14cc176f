import Foundation

/// Functions of the C library and of the processor, which neither lock nor allocate, though the
/// compiler can't see it.
enum RealtimeMath {
  @inline(__always) @_semantics("no_performance_analysis")
  static func log2(_ value: Double) -> Double { Foundation.log2(value) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func exp2(_ value: Double) -> Double { Foundation.exp2(value) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func root(_ value: Double) -> Double { value.squareRoot() }

  @inline(__always) @_semantics("no_performance_analysis")
  static func root(_ value: Float) -> Float { value.squareRoot() }

  @inline(__always) @_semantics("no_performance_analysis")
  static func root(_ value: SIMD8<Float>) -> SIMD8<Float> { value.squareRoot() }

  @inline(__always) @_semantics("no_performance_analysis")
  static func cosine(_ angle: Double) -> Double { Foundation.cos(angle) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func sine(_ angle: Double) -> Double { Foundation.sin(angle) }

  /// Of a point, from -pi to pi.
  @inline(__always) @_semantics("no_performance_analysis")
  static func angle(_ y: Double, _ x: Double) -> Double { Foundation.atan2(y, x) }
}
