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
