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
      for column in 0...row { matrix[row, column] = dot(weighted, columns[column]) }
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
    hz.map { hz in
      // Clenshaw's recurrence: one cosine instead of one for each term.
      let twice = 2 * cos(.pi * hz / ceilingHz)
      var (next, afterNext) = (0.0, 0.0)
      for term in coefficients.dropFirst().reversed() {
        (next, afterNext) = (twice * next + term - afterNext, next)
      }
      return twice / 2 * next + coefficients[0] - afterNext
    }
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
