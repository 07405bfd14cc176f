/// A symmetric matrix in rows of equal length, a multiple of four, of which the lower triangle
/// counts: larger than `SymmetricMatrix`, but factored faster.
struct PaddedMatrix {
  let count: Int
  private let width: Int
  private var entries: [Double]

  /// Returns the length of a row.
  static func width(of count: Int) -> Int { (count + 3) / 4 * 4 }

  /// - Parameter entries: row by row; those above the diagonal are ignored.
  init(count: Int, entries: [Double]) {
    width = Self.width(of: count)
    precondition(entries.count == count * width, "rows of equal length")
    (self.count, self.entries) = (count, entries)
  }

  subscript(row: Int, column: Int) -> Double {
    get { entries[row * width + column] }
    set { entries[row * width + column] = newValue }
  }

  /// Returns the Cholesky factor; `nil` if the matrix is not positive definite.
  ///
  /// The matrix is the product of the transposed factor and the factor, found from the last row
  /// upwards, so that all steps run along rows. Two rows are finished at a time.
  ///
  /// - Parameter damping: share by which the diagonal is raised.
  func factored(damping: Double = 0) -> Factor? {
    typealias Four = SIMD4<Double>
    var rows = entries
    let isPositive = rows.withUnsafeMutableBufferPointer { rows -> Bool in
      guard let start = rows.baseAddress else { return true }
      for i in 0..<count { start[i * width + i] *= 1 + damping }

      func finishes(_ k: Int) -> Bool {
        let row = start + k * width
        let square = row[k]
        guard square > 1e-13 * (1 + damping) * entries[k * width + k], square > 0 else {
          return false
        }
        row[k] = square.squareRoot()
        let factor = 1 / row[k]
        for j in 0..<k { row[j] *= factor }
        return true
      }

      for k in stride(from: count - 1, through: 0, by: -2) {
        guard finishes(k) else { return false }
        guard k > 0 else { break }
        let (last, next) = (start + k * width, start + (k - 1) * width)
        let share = last[k - 1]
        for j in 0..<k { next[j] -= share * last[j] }
        guard finishes(k - 1) else { return false }
        let (lastRow, nextRow) = (UnsafeRawPointer(last), UnsafeRawPointer(next))
        for i in 0..<k - 1 {
          let row = UnsafeMutableRawPointer(start + i * width)
          let (lastShare, nextShare) = (last[i], next[i])
          // The last four may reach beyond the diagonal, where nothing is read.
          for place in stride(from: 0, through: 8 &* i, by: 32) {
            let fromLast: Four = lastRow.loadUnaligned(fromByteOffset: place, as: Four.self)
            let fromNext: Four = nextRow.loadUnaligned(fromByteOffset: place, as: Four.self)
            let own: Four = row.loadUnaligned(fromByteOffset: place, as: Four.self)
            let change: Four = fromLast * lastShare + fromNext * nextShare
            row.storeBytes(of: own - change, toByteOffset: place, as: Four.self)
          }
        }
      }
      return true
    }
    return isPositive ? Factor(count: count, width: width, rows: rows) : nil
  }

  struct Factor {
    fileprivate let count: Int
    fileprivate let width: Int
    fileprivate let rows: [Double]

    func solved(_ right: [Double]) -> [Double] {
      precondition(right.count == count, "a number for each row")
      var x = right
      rows.withUnsafeBufferPointer { rows in
        x.withUnsafeMutableBufferPointer { x in
          guard let start = rows.baseAddress else { return }
          Self.solveTransposed(start, width, x, from: count - 1)
          for k in 0..<count {
            let row = start + k * width
            var sum = x[k]
            for j in 0..<k { sum -= row[j] * x[j] }
            x[k] = sum / row[k]
          }
        }
      }
      return x
    }

    /// The diagonal of the inverse matrix.
    func inverseDiagonal() -> [Double] {
      (0..<count).map { index in
        var unit = [Double](repeating: 0, count: count)
        unit[index] = 1
        rows.withUnsafeBufferPointer { rows in
          unit.withUnsafeMutableBufferPointer { unit in
            guard let start = rows.baseAddress else { return }
            Self.solveTransposed(start, width, unit, from: index)
          }
        }
        return unit.reduce(0) { $0 + $1 * $1 }
      }
    }

    /// Solves the system of the transposed factor in place.
    ///
    /// - Parameter last: index after which all numbers are 0.
    private static func solveTransposed(
      _ rows: UnsafePointer<Double>, _ width: Int, _ x: UnsafeMutableBufferPointer<Double>,
      from last: Int
    ) {
      for k in (0...last).reversed() {
        let row = rows + k * width
        let value = x[k] / row[k]
        x[k] = value
        for j in 0..<k { x[j] -= row[j] * value }
      }
    }
  }
}
