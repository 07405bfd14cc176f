/// A linear least squares problem, built column by column: which multiples of the columns add up
/// to the target? Solved by Cholesky's method on the normal equations.
struct LeastSquares {
  private let target: [Double]
  private let square: Double
  private var columns: [[Double]] = []
  /// Products of the columns with each other: lower triangle, row by row.
  private var matrix: [Double] = []
  /// Products of the columns with the target.
  private var right: [Double] = []

  private var unknowns: Int { columns.count }

  init(target: [Double]) {
    self.target = target
    square = dot(target, target)
  }

  /// Adds an unknown: the factor of `column`, which is as long as the target.
  mutating func add(column: [Double]) {
    columns.append(column)
    for other in columns { matrix.append(dot(column, other)) }
    right.append(dot(column, target))
  }

  /// The best factors; `nil` where the columns can't be told apart.
  func solved() -> [Double]? {
    guard let factor = cholesky() else { return nil }
    return backward(factor, forward(factor, right))
  }

  /// The sum of squares that `solution` leaves.
  func residual(_ solution: [Double]) -> Double {
    zip(solution, right).reduce(square) { $0 - $1.0 * $1.1 }
  }

  /// One value on the diagonal of the inverse matrix: the variance of that unknown for
  /// a target of variance 1.
  func inverseDiagonal(_ index: Int) -> Double? {
    guard let factor = cholesky() else { return nil }
    var unit = [Double](repeating: 0, count: unknowns)
    unit[index] = 1
    return forward(factor, unit).reduce(0) { $0 + $1 * $1 }
  }

  private func cholesky() -> [Double]? {
    var l = matrix
    for i in 0..<unknowns {
      let rowI = i * (i + 1) / 2
      for j in 0...i {
        let rowJ = j * (j + 1) / 2
        var sum = l[rowI + j]
        for k in 0..<j { sum -= l[rowI + k] * l[rowJ + k] }
        if i == j {
          guard sum > 1e-12 * matrix[rowI + i], sum > 0 else { return nil }
          l[rowI + i] = sum.squareRoot()
        } else {
          l[rowI + j] = sum / l[rowJ + j]
        }
      }
    }
    return l
  }

  private func forward(_ l: [Double], _ b: [Double]) -> [Double] {
    var y = b
    for i in 0..<unknowns {
      let row = i * (i + 1) / 2
      for k in 0..<i { y[i] -= l[row + k] * y[k] }
      y[i] /= l[row + i]
    }
    return y
  }

  private func backward(_ l: [Double], _ y: [Double]) -> [Double] {
    var x = y
    for i in (0..<unknowns).reversed() {
      for k in i + 1..<max(unknowns, i + 1) { x[i] -= l[k * (k + 1) / 2 + i] * x[k] }
      x[i] /= l[i * (i + 1) / 2 + i]
    }
    return x
  }
}

/// Sums in eight lanes, which the compiler can't do by itself without reordering.
private func dot(_ a: [Double], _ b: [Double]) -> Double {
  let (x, y) = (a.span, b.span)
  let count = min(x.count, y.count)
  var lanes = SIMD8<Double>.zero
  var i = 0
  while i + 8 <= count {
    var (u, v) = (SIMD8<Double>(), SIMD8<Double>())
    for k in 0..<8 {
      u[k] = unsafe x[unchecked: i + k]
      v[k] = unsafe y[unchecked: i + k]
    }
    lanes += u * v
    i += 8
  }
  var sum = lanes.sum()
  while i < count {
    sum += x[i] * y[i]
    i += 1
  }
  return sum
}
