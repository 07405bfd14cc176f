import DSP

/// Replaces positive numbers by their natural logarithms, which are right within about one unit in
/// the last place.
///
/// Infinite and undefined numbers become NaN. Zero and numbers below 10⁻³⁰⁷ become about -709.
///
/// - Cost: a few nanoseconds for four numbers; a call to the C library's function for one takes as
///   long.
/// - Source: `log` in FreeBSD's msun, e_log.c: the number is split into a power of 2 and a factor
///   from √½ to √2, whose logarithm is a polynomial in (factor - 1) / (factor + 1).
func takeLogarithms(of values: inout [SIMD4<Double>]) {
  typealias Four = SIMD4<Double>
  typealias Bits = SIMD4<UInt64>
  // The bits of √½, and their distance from those of 1. Adding it makes the exponent change at √2
  // rather than at 2.
  let least = Bits(repeating: 0x3FE6_A09E_0000_0000)
  let toLeast = Bits(repeating: 0x3FF0_0000_0000_0000 - 0x3FE6_A09E_0000_0000)
  let fraction = Bits(repeating: 0x000F_FFFF_FFFF_FFFF)
  let shift = Bits(repeating: 52)
  // An integer in the low bits of 2⁵² is that much more than 2⁵².
  let large = Bits(repeating: 0x4330_0000_0000_0000)
  let bias = Four(repeating: 0x1p52 + 1023)
  let (lnTwoHigh, lnTwoLow) = (6.93147180369123816490e-01, 1.90821492927058770002e-10)

  var numbers = values.mutableSpan
  for i in 0..<numbers.count {
    let x = numbers[inBounds: i]
    let moved: Bits = unsafeBitCast(x, to: Bits.self) &+ toLeast
    let exponent: Bits = (moved &>> shift) | large
    let power: Four = unsafeBitCast(exponent, to: Four.self) - bias
    let rest: Bits = (moved & fraction) &+ least
    let f: Four = unsafeBitCast(rest, to: Four.self) - 1
    let s: Four = f / (f + 2)
    let z: Four = s * s
    let w: Four = z * z
    var even: Four = w * 1.531383769920937332e-01
    even = (even + 2.222219843214978396e-01) * w
    even = (even + 3.999999999940941908e-01) * w
    var odd: Four = w * 1.479819860511658591e-01
    odd = (odd + 1.818357216161805012e-01) * w
    odd = (odd + 2.857142874366239149e-01) * w
    odd = (odd + 6.666666666666735130e-01) * z
    let half: Four = f * f * 0.5
    let polynomial: Four = half + even + odd
    let small: Four = s * polynomial + power * lnTwoLow
    let fractional: Four = (small - half) + f
    let whole: Four = power * lnTwoHigh
    // This is 0, or NaN for what is not finite.
    let check: Four = x * 0.0
    numbers[inBounds: i] = (fractional + whole) + check
  }
}

extension [SIMD4<Double>] {
  /// Arranges numbers in fours; the last is filled up with `padding`.
  init(_ values: [Double], padding: Double) {
    self = stride(from: 0, to: values.count, by: 4).map { start in
      var four = SIMD4<Double>(repeating: padding)
      for lane in 0..<Swift.min(4, values.count - start) { four[lane] = values[start + lane] }
      return four
    }
  }

  /// Returns the first `count` numbers.
  func numbers(_ count: Int) -> [Double] {
    (0..<count).map { self[$0 / 4][$0 % 4] }
  }
}
