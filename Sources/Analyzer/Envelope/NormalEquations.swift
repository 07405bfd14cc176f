import Foundation

/// The normal equations of `VoiceModelFit`, linearized around one model.
struct NormalEquations {
  private var matrix: SymmetricMatrix
  private var right: [Double]
  private let size = VoiceModel.parameterCount

  init(of fit: VoiceModelFit, at model: VoiceModel) {
    let hz = fit.points.hz
    let levels = model.levelsDb(hz)
    let columns = model.slopes(hz)
    let misses = hz.indices.map { fit.points.levelsDb[$0] - levels[$0] }
    matrix = SymmetricMatrix(count: size)
    right = Array(repeating: 0, count: size)
    for row in 0..<size {
      let weighted = zip(columns[row], fit.weights).map { $0 * $1 }
      let products = weighted.products(with: columns[...row])
      for column in 0...row { matrix[row, column] = products[column] }
      right[row] = dot(weighted, misses)
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
    var damped = matrix
    for i in 0..<size { damped[i, i] *= 1 + damping }
    return damped.factored()?.solved(right)
  }

  func deviations() -> [Double]? {
    matrix.factored()?.inverseDiagonal().map { $0.squareRoot() }
  }
}
