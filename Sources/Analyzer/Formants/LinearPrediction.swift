import DSP
import Foundation

/// A filter that predicts each sample of a sound from the few before it.
///
/// The prediction error is the residual `Σ coefficients[k] · x[n - k]`. The inverse of the filter
/// models the resonances of a vocal tract, which `resonances(sampleRateHz:)` returns.
///
/// `init(burg:order:)` is the common method. `init(energyWeighted:taper:memorySamples:order:)` is
/// less misled by the harmonics of a high voice.
public struct LinearPrediction: Equatable, Sendable {
  /// The `order + 1` coefficients; the first is 1.
  public var coefficients: [Double]

  public init(coefficients: [Double]) {
    precondition(coefficients.first == 1, "the first coefficient is 1")
    self.coefficients = coefficients
  }
}

extension LinearPrediction {
  /// The resonances of the inverse filter, one per pair of complex poles, by ascending frequency.
  ///
  /// A pole outside the unit circle counts as its mirror image inside, which has the same spectrum.
  /// Real poles, which tilt the spectrum, are omitted.
  public func resonances(sampleRateHz: Double) -> [Formant] {
    Self.roots(coefficients)
      .filter { $0.im > 1e-9 }
      .map { pole in
        Formant(
          frequencyHz: atan2(pole.im, pole.re) * sampleRateHz / (2 * .pi),
          bandwidthHz: abs(log(pole.magnitude)) * sampleRateHz / .pi)
      }
      .sorted { $0.frequencyHz < $1.frequencyHz }
  }

  /// All roots of `Σ coefficients[k] · z^(n - k)`, whose first coefficient is 1.
  ///
  /// Aberth's iteration applies Newton's step to each root, corrected for the attraction of the
  /// others. All roots converge at once on the given polynomial, without errors of deflation. A
  /// root is done when the polynomial there is within its rounding error of 0, or after 60 rounds;
  /// well-separated roots take six to ten.
  ///
  /// - Source: Aberth, "Iteration methods for finding all zeros of a polynomial simultaneously",
  ///   Mathematics of Computation 27, 1973; the stopping rule is Adams', Communications of the ACM
  ///   10(10), 1967.
  static func roots(_ coefficients: [Double]) -> [Complex] {
    let significant = coefficients.count - coefficients.reversed().prefix { $0 == 0 }.count
    let degree = significant - 1
    let zeros = [Complex](repeating: Complex(0, 0), count: coefficients.count - significant)
    guard degree > 0 else { return zeros }
    // The guesses lie on a circle of the roots' mean radius, turned so that no two mirror each
    // other: a mirrored pair could never become two real roots.
    let radius = pow(abs(coefficients[degree]), 1 / Double(degree))
    var roots = (0..<degree).map { index in
      let angle = (2 * Double.pi * Double(index) + 0.7) / Double(degree)
      return Complex(radius * cos(angle), radius * sin(angle))
    }
    var unsettled = Array(0..<degree)
    for _ in 0..<60 where !unsettled.isEmpty {
      unsettled.removeAll { index in
        let z = roots[index]
        let (value, slope, rounding) = evaluate(coefficients, degree, at: z)
        if value.magnitude <= rounding { return true }
        var pull = Complex(0, 0)
        for other in 0..<degree where other != index {
          pull = pull + (z - roots[other]).reciprocal
        }
        // Newton's step is value / slope, in a form that tolerates a slope of 0.
        let step = value * (slope - value * pull).reciprocal
        guard step.re.isFinite, step.im.isFinite else { return false }
        roots[index] = z - step
        return false
      }
    }
    return roots + zeros
  }

  /// Evaluates a polynomial by Horner's rule, with its derivative and a bound on the rounding
  /// error.
  private static func evaluate(
    _ coefficients: [Double], _ degree: Int, at z: Complex
  ) -> (value: Complex, slope: Complex, rounding: Double) {
    var value = Complex(coefficients[0], 0)
    var slope = Complex(0, 0)
    let size = z.magnitude
    var bound = abs(coefficients[0])
    for k in 1...degree {
      slope = slope * z + value
      value = value * z
      value.re += coefficients[k]
      bound = bound * size + abs(coefficients[k])
    }
    return (value, slope, 4 * Double.ulpOfOne * bound)
  }
}
