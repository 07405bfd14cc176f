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

  public var order: Int { coefficients.count - 1 }

  public init(coefficients: [Double]) {
    precondition(coefficients.first == 1, "the first coefficient is 1")
    self.coefficients = coefficients
  }
}
