import Foundation

/// The variances of a sum of independent random effects, each with a known correlation matrix, that
/// make the observed values most likely.
///
/// - Cost: an inverse of n rows for each of at most `rounds` rounds.
/// - Source: the minorization-maximization algorithm of Zhou, Hu, Qiao and Cho, "MM algorithms for
///   variance components models", Journal of Computational and Graphical Statistics 28(2), 2019:
///   each round multiplies a variance by the square root of a ratio, so it stays positive and the
///   likelihood never falls.
struct VarianceComponents: Sendable {
  /// Variance of each effect, in the order of the correlations.
  private(set) var variances: [Double]
  /// Inverse of the covariance of the values.
  private(set) var inverse: CovarianceMatrix
  /// The inverse times the values.
  private(set) var weights: [Double]
  /// Log likelihood of each round, up to a constant.
  private(set) var logLikelihoods: [Double] = []

  /// Few cells are fitted better by wilder variances in every further round, and predicted worse: with
  /// 40 rounds, intervals of the grids in scripts/bench/identification covered 1 to 4 % less.
  private static let rounds = 12
  /// Rounds end when they gain less than this.
  private static let leastGain = 0.01

  /// - Parameters:
  ///   - values: observations, about 0.
  ///   - correlations: one matrix for each effect; one of them must be the identity.
  ///   - fixed: effects whose variance is not fitted, with that variance.
  /// - Returns: `nil` if the covariance is not positive definite.
  init?(
    of values: [Double], correlations: [CovarianceMatrix], fixed: [Int: Double],
    rounds: Int = Self.rounds
  ) {
    let spread = max(1e-12, values.reduce(0) { $0 + $1 * $1 } / Double(max(1, values.count)))
    variances = correlations.indices.map {
      fixed[$0] ?? spread / Double(correlations.count - fixed.count)
    }
    guard var found = Self.solved(values, correlations, variances) else { return nil }
    for _ in 0..<rounds {
      logLikelihoods.append(found.logLikelihood)
      let before = variances
      for index in correlations.indices where fixed[index] == nil && variances[index] > 0 {
        var (trace, square) = (0.0, 0.0)
        let matrix = correlations[index]
        for row in values.indices {
          var (sum, product) = (0.0, 0.0)
          for column in values.indices {
            let correlation = matrix.entries[row * values.count + column]
            sum += correlation * found.inverse.entries[row * values.count + column]
            product += correlation * found.weights[column]
          }
          trace += sum
          square += found.weights[row] * product
        }
        variances[index] *= trace > 0 ? max(0, square / trace).squareRoot() : 0
        // An effect this small can't be seen, and would take many rounds to vanish.
        if variances[index] < 1e-7 * spread { variances[index] = 0 }
      }
      guard let next = Self.solved(values, correlations, variances) else {
        variances = before
        break
      }
      let gain = next.logLikelihood - found.logLikelihood
      found = next
      if abs(gain) < Self.leastGain { break }
    }
    (inverse, weights) = (found.inverse, found.weights)
  }

  /// Takes the variances as given.
  init?(of values: [Double], correlations: [CovarianceMatrix], variances: [Double]) {
    guard let found = Self.solved(values, correlations, variances) else { return nil }
    self.variances = variances
    (inverse, weights, logLikelihoods) = (found.inverse, found.weights, [found.logLikelihood])
  }

  private static func solved(
    _ values: [Double], _ correlations: [CovarianceMatrix], _ variances: [Double]
  ) -> (inverse: CovarianceMatrix, weights: [Double], logLikelihood: Double)? {
    var sum = CovarianceMatrix(count: values.count)
    for (matrix, variance) in zip(correlations, variances) where variance > 0 {
      for index in sum.entries.indices { sum.entries[index] += variance * matrix.entries[index] }
    }
    let spread = (0..<values.count).reduce(0) { $0 + sum[$1, $1] } / Double(values.count)
    for row in values.indices { sum[row, row] += 1e-9 * spread }
    guard let (inverse, logDeterminant) = sum.inverse() else { return nil }
    let weights = inverse.times(values)
    let square = zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
    return (inverse, weights, -(logDeterminant + square) / 2)
  }
}
