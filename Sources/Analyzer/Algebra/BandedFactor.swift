/// Cholesky's factor of a Hermitian matrix whose rows begin late: zeros before the first entry of a
/// row cost nothing.
///
/// - Source: Golub and Van Loan, "Matrix Computations", 4.3.
struct BandedFactor {
  /// Entries `first...row` of each row, one row after the other.
  private var entries: [Complex]
  private let first: [Int]
  private let offset: [Int]

  /// - Parameters:
  ///   - entries: of the lower triangle, row by row, each from column `first` to the diagonal.
  ///   - first: ascending.
  /// - Returns: `nil` where the matrix is not positive definite.
  init?(_ entries: [Complex], first: [Int]) {
    var offset: [Int] = []
    var next = 0
    for (row, column) in first.enumerated() {
      offset.append(next - column)  // so that offset + column is the entry
      next += row - column + 1
    }
    var l = entries
    for i in first.indices {
      for j in first[i]...i {
        var sum = l[offset[i] + j]
        for k in max(first[i], first[j])..<max(j, max(first[i], first[j])) {
          sum = sum - l[offset[i] + k] * l[offset[j] + k].conjugate
        }
        if i == j {
          guard sum.re > 0 else { return nil }
          l[offset[i] + i] = Complex(sum.re.squareRoot(), 0)
        } else {
          l[offset[i] + j] = sum * (1 / l[offset[j] + j].re)
        }
      }
    }
    (self.entries, self.first, self.offset) = (l, first, offset)
  }

  /// Half of the solution: the factor divided into `right`.
  func forward(_ right: [Complex]) -> [Complex] {
    var y = right
    for i in first.indices {
      for k in first[i]..<i { y[i] = y[i] - entries[offset[i] + k] * y[k] }
      y[i] = y[i] * (1 / entries[offset[i] + i].re)
    }
    return y
  }

  /// The other half: the factor's adjoint divided into `right`.
  func backward(_ right: [Complex]) -> [Complex] {
    var x = right
    for i in first.indices.reversed() {
      x[i] = x[i] * (1 / entries[offset[i] + i].re)
      for k in first[i]..<i { x[k] = x[k] - entries[offset[i] + k].conjugate * x[i] }
    }
    return x
  }
}
