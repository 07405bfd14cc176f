import Analyzer

/// A dense covariance matrix, row by row, and its inverse.
///
/// - Cost: n³ products for an inverse; 400 rows take about 50 ms.
struct CovarianceMatrix: Sendable {
  let count: Int
  var entries: [Double]

  init(count: Int) {
    self.count = count
    entries = [Double](repeating: 0, count: count * count)
  }

  init(count: Int, _ entry: (_ row: Int, _ column: Int) -> Double) {
    self.count = count
    entries = (0..<count).flatMap { row in (0..<count).map { entry(row, $0) } }
  }

  /// Returns the matrix of some rows and the same columns.
  func keeping(_ rows: [Int]) -> CovarianceMatrix {
    CovarianceMatrix(count: rows.count) { entries[rows[$0] * count + rows[$1]] }
  }

  subscript(row: Int, column: Int) -> Double {
    get { entries[row * count + column] }
    set { entries[row * count + column] = newValue }
  }

  /// Returns the product with a vector.
  func times(_ vector: [Double]) -> [Double] {
    (0..<count).map { row in
      var sum = 0.0
      for column in 0..<count { sum += entries[row * count + column] * vector[column] }
      return sum
    }
  }

  /// The inverse and the logarithm of the determinant.
  ///
  /// - Returns: `nil` if the matrix is not positive definite.
  func inverse() -> (matrix: CovarianceMatrix, logDeterminant: Double)? {
    var lower = SymmetricMatrix(count: count)
    for row in 0..<count {
      for column in 0...row { lower[row, column] = self[row, column] }
    }
    guard let factor = lower.factored() else { return nil }
    let inverse = factor.inverse()
    return (
      CovarianceMatrix(count: count) { inverse[max($0, $1), min($0, $1)] }, factor.logDeterminant
    )
  }
}
