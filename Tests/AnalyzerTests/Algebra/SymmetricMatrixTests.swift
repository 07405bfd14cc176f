import DSP
import Testing

@testable import Analyzer

@Suite struct SymmetricMatrixTests {
  /// The products of random vectors, which are positive definite, as full rows.
  private func products(_ count: Int) -> [[Double]] {
    var random = SeededGenerator(seed: 7)
    let vectors = (0..<count).map { _ in (0..<count + 5).map { _ in random.uniform() - 0.5 } }
    return vectors.map { a in vectors.map { b in zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } } }
  }

  private func matrix(_ rows: [[Double]]) -> SymmetricMatrix {
    var matrix = SymmetricMatrix(count: rows.count)
    for i in rows.indices {
      for j in 0...i { matrix[i, j] = rows[i][j] }
    }
    return matrix
  }

  /// Multiplies a solution back, which gives the right-hand side up to rounding.
  @Test(arguments: [1, 2, 3, 4, 29], [0, 0.1])
  func solutionsSatisfyTheirEquations(count: Int, damping: Double) throws {
    var rows = products(count)
    let right = (0..<count).map { Double($0) - 1.5 }
    let factor = try #require(matrix(rows).factored(damping: damping))
    let solution = factor.solved(right)
    for i in 0..<count { rows[i][i] *= 1 + damping }
    for i in 0..<count {
      let sum = zip(rows[i], solution).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(sum - right[i]) < 1e-9)
    }
  }

  @Test func diagonalOfTheInverseSolvesForUnits() throws {
    let factor = try #require(matrix(products(6)).factored())
    for (index, found) in factor.inverseDiagonal().enumerated() {
      let unit = (0..<6).map { $0 == index ? 1.0 : 0 }
      #expect(abs(found - factor.solved(unit)[index]) < 1e-9 * found)
    }
  }

  @Test func indefiniteMatricesHaveNoFactor() {
    let hasFactor = matrix([[1, 2], [2, 1]]).factored() != nil
    #expect(!hasFactor)
  }
}
