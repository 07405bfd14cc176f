import Foundation

/// A smooth curve through levels known at a few frequencies only: a cosine series whose faster
/// terms are penalized more.
///
/// - Source: Galas and Rodet, "An improved cepstral method for deconvolution of source-filter
///   systems with discrete spectra", ICMC 1990; the penalty is that of Cappé, Laroche and Moulines,
///   "Regularized estimation of cepstrum envelope from discrete frequency points", WASPAA 1995.
struct DiscreteCepstrum: Equatable, Sendable {
  /// Coefficients of cos(πn·hz/ceilingHz), n from 0.
  var coefficients: [Double]
  let ceilingHz: Double

  /// - Parameters:
  ///   - weights: the inverse variance of each level.
  ///   - roughnessDb: standard deviation expected of a term that changes by a radian in 1 kHz;
  ///     proportionally less for faster terms.
  /// - Returns: `nil` if there are no points.
  init?(
    hz: [Double], levelsDb: [Double], weights: [Double], ceilingHz: Double, order: Int,
    roughnessDb: Double
  ) {
    guard !hz.isEmpty else { return nil }
    let columns = Self.cosines(hz.map { .pi * $0 / ceilingHz }, order: order)
    var matrix = SymmetricMatrix(count: order + 1)
    var right = [Double](repeating: 0, count: order + 1)
    for row in 0...order {
      let weighted = zip(columns[row], weights).map { $0 * $1 }
      let products = weighted.products(with: columns[...row])
      for column in 0...row { matrix[row, column] = products[column] }
      right[row] = dot(weighted, levelsDb)
      let rate = .pi * Double(row) / ceilingHz * 1000
      let spread = roughnessDb / max(rate, 1e-3)
      matrix[row, row] += 1 / (spread * spread)
    }
    guard let factor = matrix.factored() else { return nil }
    coefficients = factor.solved(right)
    self.ceilingHz = ceilingHz
  }

  /// The level at each frequency.
  func levelsDb(_ hz: [Double]) -> [Double] {
    typealias Four = SIMD4<Double>
    // Clenshaw's recurrence: one cosine instead of one for each term. Each term waits for the last,
    // so four frequencies are computed at a time.
    var levels = [Four](hz.map { 2 * cos(.pi * $0 / ceilingHz) }, padding: 0)
    let terms = coefficients.span
    for i in levels.indices {
      let twice = levels[i]
      var (next, afterNext) = (Four.zero, Four.zero)
      for n in stride(from: terms.count - 1, to: 0, by: -1) {
        let sum: Four = twice * next + terms[n]
        (next, afterNext) = (sum - afterNext, next)
      }
      let sum: Four = twice / 2 * next + terms[0]
      levels[i] = sum - afterNext
    }
    return levels.numbers(hz.count)
  }

  /// The cosines of the multiples 0 to `order` of each angle, by the recurrence of Chebyshev's
  /// polynomials.
  private static func cosines(_ angles: [Double], order: Int) -> [[Double]] {
    let twice = angles.map { 2 * cos($0) }
    var columns = [angles.map { _ in 1.0 }, twice.map { $0 / 2 }]
    while columns.count <= order {
      let (last, before) = (columns[columns.count - 1], columns[columns.count - 2])
      columns.append(angles.indices.map { twice[$0] * last[$0] - before[$0] })
    }
    return Array(columns.prefix(order + 1))
  }
}
