import DSP
import Foundation

/// The normal equations of `VoiceModelFit`, linearized around one model.
struct NormalEquations {
  private var matrix: SymmetricMatrix
  private var right: [Double]
  private let size = VoiceModel.parameterCount

  /// - Parameters:
  ///   - misses: measured levels less the model's, times the roots of their weights.
  ///   - slopes: room for `VoiceSpectrum.slopeCount` columns.
  init(
    of fit: VoiceModelFit, at model: VoiceModel, _ misses: [SIMD4<Double>],
    _ slopes: inout [SIMD4<Double>]
  ) {
    VoiceSpectrum(model).writeSlopes(at: fit.squares, times: fit.roots, to: &slopes)
    // The levels don't depend on the length scale, whose row and products stay 0.
    matrix = SymmetricMatrix(count: size)
    for row in stride(from: 0, to: VoiceSpectrum.slopeCount, by: 2) {
      let first = VoiceSpectrum.parameter(ofSlope: row)
      let second = VoiceSpectrum.parameter(ofSlope: row + 1)
      for column in stride(from: 0, through: row + 1, by: 4) {
        let products = Self.products(slopes, rows: misses.count, row, column)
        for lane in 0..<4 {
          let place = VoiceSpectrum.parameter(ofSlope: column + lane)
          if place <= first { matrix[first, place] = products.first[lane] }
          if place <= second { matrix[second, place] = products.second[lane] }
        }
      }
    }
    right = Array(repeating: 0, count: size)
    for column in stride(from: 0, to: VoiceSpectrum.slopeCount, by: 4) {
      let products = Self.products(slopes, with: misses, column)
      for lane in 0..<4 { right[VoiceSpectrum.parameter(ofSlope: column + lane)] = products[lane] }
    }
    for row in 0..<size {
      let (value, weight) = fit.prior.expectation(row, of: model)
      matrix[row, row] += weight
      right[row] += weight * (value - model.values[row])
      // The prior mean moves with the tube's length, which is itself unknown.
      if fit.prior.followsScale(row, of: model) {
        let scale = VoiceModel.scaleIndex
        matrix[scale, row] -= weight
        matrix[scale, scale] += weight
        right[scale] += weight * (model.values[row] - value)
      }
    }
  }

  func step(damping: Double) -> [Double]? {
    matrix.factored(damping: damping)?.solved(right)
  }

  /// The dot products of two neighbouring columns with four others: each number is read once for
  /// several products.
  private static func products(
    _ columns: [SIMD4<Double>], rows: Int, _ row: Int, _ column: Int
  ) -> (first: SIMD4<Double>, second: SIMD4<Double>) {
    typealias Two = SIMD2<Double>
    precondition(max(row + 2, column + 4) * rows <= columns.count, "whole columns")
    let x = columns.span
    let (own, a) = (row * rows, column * rows)
    let (b, c, d) = (a + rows, a + 2 * rows, a + 3 * rows)
    var (firstA, firstB, firstC, firstD) = (Two.zero, Two.zero, Two.zero, Two.zero)
    var (secondA, secondB, secondC, secondD) = (Two.zero, Two.zero, Two.zero, Two.zero)
    for i in 0..<rows {
      let first = x[inBounds: own &+ i]
      let second = x[inBounds: own &+ rows &+ i]
      let (fourA, fourB) = (x[inBounds: a &+ i], x[inBounds: b &+ i])
      let (fourC, fourD) = (x[inBounds: c &+ i], x[inBounds: d &+ i])
      firstA += first.lowHalf * fourA.lowHalf
      firstB += first.lowHalf * fourB.lowHalf
      firstC += first.lowHalf * fourC.lowHalf
      firstD += first.lowHalf * fourD.lowHalf
      secondA += second.lowHalf * fourA.lowHalf
      secondB += second.lowHalf * fourB.lowHalf
      secondC += second.lowHalf * fourC.lowHalf
      secondD += second.lowHalf * fourD.lowHalf
      firstA += first.highHalf * fourA.highHalf
      firstB += first.highHalf * fourB.highHalf
      firstC += first.highHalf * fourC.highHalf
      firstD += first.highHalf * fourD.highHalf
      secondA += second.highHalf * fourA.highHalf
      secondB += second.highHalf * fourB.highHalf
      secondC += second.highHalf * fourC.highHalf
      secondD += second.highHalf * fourD.highHalf
    }
    return (
      SIMD4(firstA.sum(), firstB.sum(), firstC.sum(), firstD.sum()),
      SIMD4(secondA.sum(), secondB.sum(), secondC.sum(), secondD.sum())
    )
  }

  /// The dot products of `values` with four neighbouring columns.
  private static func products(
    _ columns: [SIMD4<Double>], with values: [SIMD4<Double>], _ column: Int
  ) -> SIMD4<Double> {
    typealias Four = SIMD4<Double>
    let rows = values.count
    precondition((column + 4) * rows <= columns.count, "whole columns")
    let x = columns.span
    let value = values.span
    let start = column * rows
    var (a, b, c, d) = (Four.zero, Four.zero, Four.zero, Four.zero)
    for i in 0..<rows {
      let own = value[inBounds: i]
      a += own * x[inBounds: start &+ i]
      b += own * x[inBounds: start &+ rows &+ i]
      c += own * x[inBounds: start &+ 2 &* rows &+ i]
      d += own * x[inBounds: start &+ 3 &* rows &+ i]
    }
    return Four(a.sum(), b.sum(), c.sum(), d.sum())
  }
}
