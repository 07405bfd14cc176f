import Foundation

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

  /// The inverse and the logarithm of the determinant, by Cholesky's factorization.
  ///
  /// - Returns: `nil` if the matrix is not positive definite.
  func inverse() -> (matrix: CovarianceMatrix, logDeterminant: Double)? {
    let n = count
    var factor = entries
    var logDeterminant = 0.0
    let isPositive = factor.withUnsafeMutableBufferPointer { l -> Bool in
      for i in 0..<n {
        for j in 0...i {
          var sum = unsafe l[i * n + j]
          for k in 0..<j { sum -= unsafe l[i * n + k] * l[j * n + k] }
          if i == j {
            guard sum > 0 else { return false }
            unsafe l[i * n + i] = sum.squareRoot()
            logDeterminant += log(sum)
          } else {
            unsafe l[i * n + j] = sum / l[j * n + j]
          }
        }
      }
      return true
    }
    guard isPositive else { return nil }
    // Rows of the factor's inverse, transposed so that products run along rows.
    var upper = [Double](repeating: 0, count: n * n)
    factor.withUnsafeBufferPointer { l in
      upper.withUnsafeMutableBufferPointer { u in
        for column in 0..<n {
          unsafe u[column * n + column] = 1 / l[column * n + column]
          for row in column + 1..<max(column + 1, n) {
            var sum = 0.0
            for k in column..<row { unsafe sum -= l[row * n + k] * u[column * n + k] }
            unsafe u[column * n + row] = sum / l[row * n + row]
          }
        }
      }
    }
    var inverse = CovarianceMatrix(count: n)
    inverse.entries.withUnsafeMutableBufferPointer { target in
      upper.withUnsafeBufferPointer { u in
        for i in 0..<n {
          for j in 0...i {
            var sum = 0.0
            for k in i..<n { unsafe sum += u[i * n + k] * u[j * n + k] }
            unsafe target[i * n + j] = sum
            unsafe target[j * n + i] = sum
          }
        }
      }
    }
    return (inverse, logDeterminant)
  }
}
