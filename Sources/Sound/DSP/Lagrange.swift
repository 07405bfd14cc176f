/// Weights of six samples for a value between the third and the fourth, from the polynomial through
/// all six: flat within 0.1 dB up to a third of the sample rate.
///
/// - Source: Laakso et al., "Splitting the unit delay", IEEE Signal Processing Magazine, 1996.
public enum Lagrange {
  /// Returns the weights of the samples -2 to 3, relative to the one before the instant; the last
  /// two are 0.
  ///
  /// - Parameter fraction: the time of the instant after that sample, in samples.
  @inlinable @inline(__always) @_noLocks public static func weights(
    _ fraction: Double
  ) -> SIMD8<Float> {
    let x = fraction
    let (a, b, c, d, e) = (x + 2, x + 1, x - 1, x - 2, x - 3)
    return SIMD8<Float>(
      Float(-b * x * c * d * e / 120), Float(a * x * c * d * e / 24),
      Float(-a * b * c * d * e / 12), Float(a * b * x * d * e / 12),
      Float(-a * b * x * c * e / 24), Float(a * b * x * c * d / 120), 0, 0)
  }

  /// Returns the weights and their derivatives with respect to `fraction`.
  ///
  /// These weights differ from those of `weights(_:)` by rounding.
  @_noLocks public static func weightsAndSlopes(
    _ fraction: Double
  ) -> (weights: SIMD8<Float>, slopes: SIMD8<Float>) {
    var (weights, slopes) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    for k in -2...3 {
      // The product of (x - j) / (k - j) over the other five, and its derivative by the product
      // rule.
      var (weight, slope) = (1.0, 0.0)
      for j in -2...3 where j != k {
        let divisor = Double(k - j)
        slope = slope * (fraction - Double(j)) / divisor + weight / divisor
        weight *= (fraction - Double(j)) / divisor
      }
      weights[k + 2] = Float(weight)
      slopes[k + 2] = Float(slope)
    }
    return (weights, slopes)
  }
}
