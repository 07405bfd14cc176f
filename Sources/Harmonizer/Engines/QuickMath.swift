import DSP

/// Elementary functions for thousands of bins a frame: plain arithmetic, so that loops over them
/// vectorize, and the same bits on every machine.
///
/// - Source: Chebyshev fits; Goldberg, "Fast approximate logarithms", 2015, for the splitting.
enum QuickMath {
  /// The binary logarithm of a positive, normal number, within 2e-5.
  @inline(__always) @_noLocks static func log2(_ x: Float) -> Float {
    let bits = x.bitPattern
    // The mantissa as 0.75..<1.5, where the series is short.
    let exponent = Int32(bitPattern: bits &- 0x3f40_0000) >> 23
    let mantissa = Float(bitPattern: bits &- UInt32(bitPattern: exponent << 23))
    let s = (mantissa - 1) / (mantissa + 1)
    let s2 = s * s
    // 2/ln 2 · artanh(s)
    let series = s * (2.885_390_1 + s2 * (0.961_796_7 + s2 * (0.577_078_0 + s2 * 0.412_198_6)))
    return Float(exponent) + series
  }

  /// 2 to the power of `x`, cut to ±120, within 2e-6 of its value.
  @inline(__always) @_noLocks static func exp2(_ x: Float) -> Float {
    let cut = min(max(x, -120), 120)
    let shifted = cut + 12_582_912  // rounds to whole: 1.5 · 2²³
    let whole = shifted - 12_582_912
    let f = (cut - whole) * 0.693_147_18
    let power = 1 + f * (1 + f * (0.5 + f * (0.166_666_67 + f * (0.041_666_67 + f * 0.008_333_33))))
    let exponent = UInt32(bitPattern: Int32(whole) &+ 127) << 23
    return power * Float(bitPattern: exponent)
  }

  /// The point `turns` around the unit circle, within 2e-6.
  @inline(__always) @_semantics("no_performance_analysis") static func circle(turns: Double)
    -> ComplexFloat
  {
    // Four quarters; within one, up to ±1/8 turn, the power series.
    let quarters = whole(turns * 4)
    let x = Float((turns * 4 - quarters) * (.pi / 2))
    let x2 = x * x
    let sine = x * (1 + x2 * (-0.166_666_67 + x2 * (0.008_333_33 - x2 * 0.000_198_41)))
    let cosine = 1 + x2 * (-0.5 + x2 * (0.041_666_67 + x2 * (-0.001_388_89 + x2 * 0.000_024_80)))
    switch Int(quarters) & 3 {
    case 0: return ComplexFloat(cosine, sine)
    case 1: return ComplexFloat(-sine, cosine)
    case 2: return ComplexFloat(-cosine, -sine)
    default: return ComplexFloat(sine, -cosine)
    }
  }

  /// `turns` less whole turns: -0.5 to 0.5.
  @inline(__always) @_noLocks static func wrapped(_ turns: Double) -> Double {
    turns - whole(turns)
  }

  /// Rounds to the nearest whole number; for magnitudes below 2⁵¹.
  @inline(__always) @_noLocks static func whole(_ x: Double) -> Double {
    (x + 0x1.8p52) - 0x1.8p52
  }
}
