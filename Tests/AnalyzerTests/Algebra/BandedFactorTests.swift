import DSP
import Testing

@testable import Analyzer

@Suite struct BandedFactorTests {
  /// Multiplies a solution back, which gives the right-hand side up to rounding.
  @Test func solutionsSatisfyTheirEquations() throws {
    let first = [0, 0, 1, 1, 3]
    let lower: [[Complex]] = [
      [Complex(4, 0)],
      [Complex(1, -0.5), Complex(5, 0)],
      [Complex(0.3, 1), Complex(6, 0)],
      [Complex(-0.5, 0.2), Complex(0.7, -0.9), Complex(3, 0)],
      [Complex(0.4, 0.8), Complex(2, 0)],
    ]
    let right = (0..<5).map { Complex(Double($0) - 1.5, 0.5 * Double($0)) }
    let factor = try #require(BandedFactor(lower.flatMap(\.self), first: first))
    let solution = factor.backward(factor.forward(right))
    for row in 0..<5 {
      var sum = Complex()
      for column in 0..<5 {
        let (low, high) = (min(row, column), max(row, column))
        guard low >= first[high] else { continue }
        let entry = lower[high][low - first[high]]
        sum = sum + (row >= column ? entry : entry.conjugate) * solution[column]
      }
      #expect((sum - right[row]).magnitude < 1e-13)
    }
  }

  @Test func indefiniteMatricesHaveNoFactor() {
    #expect(BandedFactor([Complex(1, 0), Complex(2, 0), Complex(1, 0)], first: [0, 0]) == nil)
  }
}
