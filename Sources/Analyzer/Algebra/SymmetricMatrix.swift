/// A symmetric matrix, stored as its lower triangle, row by row.
package struct SymmetricMatrix {
  package let count: Int
  private var entries: [Double]

  package init(count: Int) {
    self.count = count
    entries = [Double](repeating: 0, count: count * (count + 1) / 2)
  }

  package subscript(row: Int, column: Int) -> Double {
    get { entries[row * (row + 1) / 2 + column] }
    set { entries[row * (row + 1) / 2 + column] = newValue }
  }

  /// Returns the Cholesky factor; `nil` if the matrix is not positive definite.
  ///
  /// - Parameter damping: share by which the diagonal is raised.
  package func factored(damping: Double = 0) -> Factor? {
    var l = self
    for i in 0..<count { l[i, i] *= 1 + damping }
    let diagonal = (0..<count).map { l[$0, $0] }
    let isPositive = l.entries.withUnsafeMutableBufferPointer { entries in
      guard let start = entries.baseAddress else { return true }
      for i in 0..<count {
        let row = unsafe start + i * (i + 1) / 2
        for j in 0...i {
          let other = unsafe start + j * (j + 1) / 2
          let sum = unsafe row[j] - sumOfProducts(row, other, j)
          if i == j {
            guard sum > 1e-13 * diagonal[i], sum > 0 else { return false }
            unsafe row[i] = sum.squareRoot()
          } else {
            unsafe row[j] = sum / other[j]
          }
        }
      }
      return true
    }
    return isPositive ? Factor(l: l) : nil
  }

  package struct Factor {
    fileprivate let l: SymmetricMatrix

    func solved(_ right: [Double]) -> [Double] {
      var x = forward(right)
      for i in x.indices.reversed() {
        x[i] /= l[i, i]
        for k in 0..<i { x[k] -= l[i, k] * x[i] }
      }
      return x
    }

    /// The diagonal of the inverse matrix.
    func inverseDiagonal() -> [Double] {
      (0..<l.count).map { index in
        var unit = [Double](repeating: 0, count: l.count)
        unit[index] = 1
        return forward(unit).reduce(0) { $0 + $1 * $1 }
      }
    }

    private func forward(_ right: [Double]) -> [Double] {
      var y = right
      for i in y.indices {
        for k in 0..<i { y[i] -= l[i, k] * y[k] }
        y[i] /= l[i, i]
      }
      return y
    }
  }
}

/// A linear least squares problem, built column by column: which multiples of the columns add up
/// to the target? Solved by Cholesky factorization of the normal equations.
package struct LeastSquares {
  private let target: [Double]
  private let square: Double
  private var columns: [[Double]] = []

  package init(target: [Double]) {
    self.target = target
    square = dot(target, target)
  }

  /// Adds one unknown, the factor of `column`, which has the target's length.
  package mutating func add(column: [Double]) { columns.append(column) }

  /// The best factors; `nil` if the columns are linearly dependent.
  package func solved() -> [Double]? {
    var products = SymmetricMatrix(count: columns.count)
    for row in columns.indices {
      for column in 0...row { products[row, column] = dot(columns[row], columns[column]) }
    }
    return products.factored()?.solved(columns.map { dot($0, target) })
  }

  /// The sum of squared residuals that `solution` leaves.
  func residual(_ solution: [Double]) -> Double {
    zip(solution, columns).reduce(square) { $0 - $1.0 * dot($1.1, target) }
  }
}
