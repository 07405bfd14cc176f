import DSP
import Testing

@Suite struct LagrangeTests {
  /// A polynomial through six samples is exact on x⁵, and so is its slope 5 x⁴.
  @Test(arguments: [0.0, 0.3, 0.5, 0.9])
  func aPolynomialOfOrderFiveIsExact(fraction: Double) {
    let weights = Lagrange.weights(fraction)
    let (same, slopes) = Lagrange.weightsAndSlopes(fraction)
    var (value, other, slope) = (0.0, 0.0, 0.0)
    for place in -2...3 {
      let sample = (1...5).reduce(1.0) { product, _ in product * Double(place) }
      value += Double(weights[place + 2]) * sample
      other += Double(same[place + 2]) * sample
      slope += Double(slopes[place + 2]) * sample
    }
    let power = fraction * fraction * fraction * fraction
    // Weights are rounded to 6e-8, samples reach 243.
    #expect(abs(value - power * fraction) < 1e-4)
    #expect(abs(other - power * fraction) < 1e-4)
    #expect(abs(slope - 5 * power) < 1e-3)
    #expect(weights[6] == 0 && weights[7] == 0)
  }
}
