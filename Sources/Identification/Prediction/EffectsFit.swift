import Foundation
import Statistics

/// The effects of a plan's axes on one figure, fitted to measured cells: a Gaussian process whose
/// covariance is a sum of products.
///
/// - Source: Rasmussen and Williams, "Gaussian processes for machine learning", 2006, chapter 2.
struct EffectsFit: Sendable {
  /// A measured number.
  struct Observation: Sendable {
    var row: PlanSpace.Row
    /// Number of the cell, whose voices are left out together.
    var cell: Int
    /// The figure on its additive scale.
    var value: Double
  }

  private let space: PlanSpace
  private let effects: [PlanSpace.Effect]
  private let observations: [Observation]
  private let mean: Double
  private let fit: VarianceComponents

  /// Correlations of observations by each effect, and of the noise.
  struct Correlations: Sendable {
    let effects: [PlanSpace.Effect]
    let matrices: [CovarianceMatrix]

    init(_ observations: [Observation], in space: PlanSpace) {
      effects = space.effects
      matrices =
        effects.map { effect in
          CovarianceMatrix(count: observations.count) { i, j in
            space.correlation(effect, observations[i].row, observations[j].row)
          }
        } + [CovarianceMatrix(count: observations.count) { $0 == $1 ? 1 : 0 }]
    }

    private init(effects: [PlanSpace.Effect], matrices: [CovarianceMatrix]) {
      (self.effects, self.matrices) = (effects, matrices)
    }

    func keeping(_ rows: [Int]) -> Correlations {
      Correlations(effects: effects, matrices: matrices.map { $0.keeping(rows) })
    }
  }

  /// - Returns: `nil` if the observations don't tell the effects apart.
  init?(
    _ observations: [Observation], _ correlations: Correlations, in space: PlanSpace,
    variances: [Double]? = nil
  ) {
    (self.space, self.observations, effects) = (space, observations, correlations.effects)
    let values = observations.map(\.value)
    mean = Statistics.mean(values) ?? 0
    let centred = values.map { [mean] in $0 - mean }
    let spread = max(1e-9, centred.reduce(0) { $0 + $1 * $1 } / Double(max(1, centred.count)))
    // The mean is not known better than the values spread.
    let fit =
      if let variances {
        VarianceComponents(of: centred, correlations: correlations.matrices, variances: variances)
      } else {
        VarianceComponents(of: centred, correlations: correlations.matrices, fixed: [0: spread])
      }
    guard let fit else { return nil }
    self.fit = fit
  }

  /// Variance of each effect, and of the noise.
  var variances: [Double] { fit.variances }

  /// Returns mean and standard deviation of a row that was not measured.
  func predicted(_ row: PlanSpace.Row) -> (mean: Double, deviation: Double) {
    var covariances = [Double](repeating: 0, count: observations.count)
    var own = fit.variances[effects.count]
    for (effect, variance) in zip(effects, fit.variances) where variance > 0 {
      own += variance * space.correlation(effect, row, row)
      for (index, observation) in observations.enumerated() {
        covariances[index] += variance * space.correlation(effect, row, observation.row)
      }
    }
    let told = fit.inverse.times(covariances)
    var (value, explained) = (mean, 0.0)
    for index in covariances.indices {
      value += covariances[index] * fit.weights[index]
      explained += covariances[index] * told[index]
    }
    return (value, max(1e-12, own - explained).squareRoot())
  }
}
