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
