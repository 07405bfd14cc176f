import DSP

/// The Cholesky factor of a Hermitian matrix with a variable band: the zeros before a row's first
/// entry are neither stored nor computed.
///
/// - Source: Golub and Van Loan, "Matrix Computations", 4.3.
struct BandedFactor {
  /// The entries `first...row` of each row, row by row.
  private var entries: [Complex]
  private let first: [Int]
  private let offset: [Int]

  /// - Parameters:
  ///   - entries: the lower triangle, row by row, each from column `first` to the diagonal.
  ///   - first: the first stored column of each row, ascending.
  /// - Returns: `nil` if the matrix is not positive definite.
  init?(_ entries: [Complex], first: [Int]) {
    var offset: [Int] = []
    var next = 0
    for (row, column) in first.enumerated() {
      offset.append(next - column)  // offset + column is the index of the entry
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

  /// Solves the triangular system of the factor: the first half of a solution.
  func forward(_ right: [Complex]) -> [Complex] {
    var y = right
    for i in first.indices {
      for k in first[i]..<i { y[i] = y[i] - entries[offset[i] + k] * y[k] }
      y[i] = y[i] * (1 / entries[offset[i] + i].re)
    }
    return y
  }

  /// Solves the triangular system of the factor's adjoint: the second half of a solution.
  func backward(_ right: [Complex]) -> [Complex] {
    var x = right
    for i in first.indices.reversed() {
      x[i] = x[i] * (1 / entries[offset[i] + i].re)
      for k in first[i]..<i { x[k] = x[k] - entries[offset[i] + k].conjugate * x[i] }
    }
    return x
  }
}
