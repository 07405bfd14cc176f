/// A filter that predicts each sample of a sound from the few before it.
///
/// What it cannot predict is the residual `Σ coefficients[k] · x[n - k]`. The inverse of the filter
/// models the resonances of a vocal tract; `resonances(sampleRateHz:)` reads them off.
///
/// Two ways to find it: `init(burg:order:)`, the common one, and
/// `init(energyWeighted:taper:memorySamples:order:)`, which the harmonics of a high voice mislead
/// less.
public struct LinearPrediction: Equatable, Sendable {
  /// `order + 1` values; the first is 1.
  public var coefficients: [Double]

  public var order: Int { coefficients.count - 1 }

  public init(coefficients: [Double]) {
    precondition(coefficients.first == 1, "the first coefficient is 1")
    self.coefficients = coefficients
  }
}

/// The sum of the products of two runs of `count` numbers, eight at a time.
@inline(__always)
func sumOfProducts(
  _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int
) -> Double {
  let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
  var (even, odd) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
  let whole = count & ~7
  for i in stride(from: 0, to: whole, by: 8) {
    let (near, far) = (i &* 8, i &* 8 &+ 32)  // bytes
    even +=
      left.loadUnaligned(fromByteOffset: near, as: SIMD4<Double>.self)
      * right.loadUnaligned(fromByteOffset: near, as: SIMD4<Double>.self)
    odd +=
      left.loadUnaligned(fromByteOffset: far, as: SIMD4<Double>.self)
      * right.loadUnaligned(fromByteOffset: far, as: SIMD4<Double>.self)
  }
  var sum = (even + odd).sum()
  for i in whole..<count { sum += a[i] * b[i] }
  return sum
}
