import DSP
import Foundation
import Testing

@testable import Analyzer

@Suite struct LinearPredictionTests {
  private static let rateHz = 11_000.0
  private static let formants = [
    Formant(frequencyHz: 700, bandwidthHz: 80), Formant(frequencyHz: 1200, bandwidthHz: 90),
    Formant(frequencyHz: 2600, bandwidthHz: 150),
  ]

  /// The polynomial with the poles of these resonances.
  private static func polynomial(_ formants: [Formant]) -> [Double] {
    formants.reduce([1]) { product, formant in
      let radius = exp(-.pi * formant.bandwidthHz / rateHz)
      let angle = 2 * .pi * formant.frequencyHz / rateHz
      return times(product, [1, -2 * radius * cos(angle), radius * radius])
    }
  }

  private static func times(_ a: [Double], _ b: [Double]) -> [Double] {
    var product = [Double](repeating: 0, count: a.count + b.count - 1)
    for (i, x) in a.enumerated() { for (j, y) in b.enumerated() { product[i + j] += x * y } }
    return product
  }

  /// The output of the resonators for an excitation.
  private static func ring(_ polynomial: [Double], _ excitation: [Double]) -> [Double] {
    var output = excitation
    for n in output.indices {
      for k in 1..<min(polynomial.count, n + 1) { output[n] -= polynomial[k] * output[n - k] }
    }
    return output
  }

  @Test func polesAreTheResonances() {
    let found = LinearPrediction(coefficients: Self.polynomial(Self.formants))
      .resonances(sampleRateHz: Self.rateHz)
    #expect(found.count == 3)
    for (found, truth) in zip(found, Self.formants) {
      #expect(abs(found.frequencyHz - truth.frequencyHz) < 1e-6)
      #expect(abs(found.bandwidthHz - truth.bandwidthHz) < 1e-6)
    }
  }

  /// A pole mirrored out of the unit circle has the same spectrum and therefore the same resonance.
  @Test func mirroredPolesCountAsStable() {
    let stable = Self.polynomial([Self.formants[0]])
    let unstable = stable.reversed().map { $0 / stable[2] }
    let found = LinearPrediction(coefficients: unstable).resonances(sampleRateHz: Self.rateHz)
    #expect(found.count == 1)
    #expect(abs(found[0].frequencyHz - 700) < 1e-6 && abs(found[0].bandwidthHz - 80) < 1e-6)
  }

  @Test func rootsOfAnyKindAreFound() {
    // Simple real roots of both signs.
    let real = LinearPrediction.roots(
      [-0.9, -0.1, 0.3, 0.8].reduce([1]) { Self.times($0, [1, -$1]) })
    for (found, truth) in zip(real.map(\.re).sorted(), [-0.9, -0.1, 0.3, 0.8]) {
      #expect(abs(found - truth) < 1e-13)
    }
    #expect(real.allSatisfy { abs($0.im) < 1e-13 })
    // Rounding moves a double root by about the square root of the smallest step, 1.5e-8.
    let double = Self.times(
      Self.polynomial([Self.formants[0]]), Self.polynomial([Self.formants[0]]))
    let truth = LinearPrediction.roots(Self.polynomial([Self.formants[0]]))
    for root in LinearPrediction.roots(double) {
      #expect(truth.map { (root - $0).magnitude }.min()! < 1e-6)
    }
    // Roots at zero.
    #expect(LinearPrediction.roots([1, 0, 0]) == [Complex(0, 0), Complex(0, 0)])
    #expect(LinearPrediction.roots([1]).isEmpty)
    // The roots of unity.
    let unity = LinearPrediction.roots([1, 0, 0, 0, 0, 0, 0, 0, -1])
    for turn in 0..<8 {
      let angle = Double(turn) * .pi / 4
      let nearest = unity.map { ($0 - Complex(cos(angle), sin(angle))).magnitude }.min()!
      #expect(nearest < 1e-13)
    }
  }

  /// After an impulse the resonators ring freely, so each sample follows from those before it.
  @Test func energyWeightedIsExactOnFreeRinging() throws {
    let impulse = [1.0] + [Double](repeating: 0, count: 399)
    let found = try #require(
      LinearPrediction(
        energyWeighted: Self.ring(Self.polynomial(Self.formants), impulse),
        taper: Array(repeating: 1, count: 400), memorySamples: 20, order: 6)
    ).resonances(sampleRateHz: Self.rateHz)
    #expect(found.count == 3)
    for (found, truth) in zip(found, Self.formants) {
      // The noise that makes the equations solvable changes this by far less than 0.05 Hz.
      #expect(abs(found.frequencyHz - truth.frequencyHz) < 0.05)
      #expect(abs(found.bandwidthHz - truth.bandwidthHz) < 0.05)
    }
  }

  /// Burg's estimate from noise converges to the truth: at 100,000 samples the standard error of a
  /// resonance 100 Hz wide is about the square root of 100 Hz * 11 kHz / (2π * 100,000), 1.3 Hz.
  @Test func burgFindsResonancesOfNoise() {
    var random = SeededGenerator(seed: 1)
    let noise = (0..<100_000).map { _ in (0..<12).reduce(-6.0) { sum, _ in sum + random.uniform() }
    }
    let prediction = LinearPrediction(
      burg: Self.ring(Self.polynomial(Self.formants), noise), order: 6)
    let found = prediction.resonances(sampleRateHz: Self.rateHz)
    #expect(found.count == 3)
    for (found, truth) in zip(found, Self.formants) {
      #expect(abs(found.frequencyHz - truth.frequencyHz) < 5)
      #expect(abs(found.bandwidthHz - truth.bandwidthHz) < 10)
    }
  }

  /// Burg's filter is stable for any input.
  @Test(arguments: [2, 5, 10, 14]) func burgIsStable(order: Int) {
    var random = SeededGenerator(seed: 2)
    for count in [order + 1, 3 * order, 500] {
      let noise = (0..<count).map { _ in random.uniform() - 0.5 }
      let roots = LinearPrediction.roots(LinearPrediction(burg: noise, order: order).coefficients)
      // One sample more than the order can put poles on the circle itself.
      #expect(roots.allSatisfy { $0.magnitude < 1 + 1e-9 })
    }
  }

  @Test func silenceGivesNoPrediction() {
    let silence = [Double](repeating: 0, count: 200)
    #expect(LinearPrediction(burg: silence, order: 4).coefficients == [1, 0, 0, 0, 0])
    let weighted = LinearPrediction(
      energyWeighted: silence, taper: silence.map { _ in 1 }, memorySamples: 20, order: 4)
    #expect(weighted == nil)
  }
}
