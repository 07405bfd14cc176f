extension LinearPrediction {
  /// Finds the filter by least squares, with each error weighted by the square of the energy just
  /// before it.
  ///
  /// Just after the glottis closes the sound is loudest and rings freely. While the glottis is
  /// open, and as it closes, prediction fails for reasons outside the vocal tract. The weights
  /// favour the former, so the resonances are less attracted to the nearest harmonic. The filter
  /// may be unstable.
  ///
  /// - Parameters:
  ///   - samples: more than `2 * order` samples, not tapered.
  ///   - taper: additional weight of each error, one value per sample.
  ///   - memorySamples: length of the energy's window; a little under 2 ms is best.
  /// - Returns: `nil` if the sound does not determine a filter, as in silence.
  /// - Cost: about `order² * samples.count` operations. Allocates.
  /// - Source: Ma, Kamp and Willems, "Robust signal selection for linear prediction analysis of
  ///   voiced speech", Speech Communication 12(1), 1993. They weight by the energy itself; its
  ///   square halves the errors again for voices around 200 Hz.
  public init?(
    energyWeighted samples: [Double], taper: [Double], memorySamples: Int, order: Int
  ) {
    precondition(order >= 1 && samples.count > 2 * order, "more than twice as many samples")
    precondition(taper.count == samples.count, "one value of the taper per sample")
    let weights = Self.weights(samples, taper, memorySamples)
    let count = samples.count - order
    var products = [Double](repeating: 0, count: (order + 1) * (order + 1))
    var weighted = [Double](repeating: 0, count: count)
    samples.withUnsafeBufferPointer { samples in
      weights.withUnsafeBufferPointer { weights in
        for row in 0...order {
          for i in 0..<count { weighted[i] = weights[order + i] * samples[order - row + i] }
          for column in 0...row {
            products[row * (order + 1) + column] = sumOfProducts(
              weighted, samples.baseAddress! + (order - column), count)
          }
        }
      }
    }
    guard let solution = Self.predictor(products, order: order) else { return nil }
    self.init(coefficients: [1] + solution)
  }

  private static func weights(
    _ samples: [Double], _ taper: [Double], _ memory: Int
  ) -> [Double] {
    var weights = taper
    for n in samples.indices {
      var energy = 0.0
      for past in max(0, n - memory)..<n { energy += samples[past] * samples[past] }
      weights[n] *= energy * energy
    }
    return weights
  }

  /// Solves the normal equations by Cholesky factorization.
  ///
  /// - Parameter products: the lower half of a square matrix of `order + 1` rows, whose first
  ///   column holds the products with the predicted sample.
  private static func predictor(_ products: [Double], order: Int) -> [Double]? {
    let width = order + 1
    var factor = products
    // A trace of noise, 90 dB down, keeps a sound of few sines from giving a singular matrix.
    for i in 1...order { factor[i * width + i] *= 1 + 1e-9 }
    for i in 1...order {
      for j in 1...i {
        var rest = factor[i * width + j]
        for k in 1..<j { rest -= factor[i * width + k] * factor[j * width + k] }
        if j < i {
          factor[i * width + j] = rest / factor[j * width + j]
        } else {
          guard rest > 0, rest.isFinite else { return nil }
          factor[i * width + i] = rest.squareRoot()
        }
      }
    }
    var solution = (1...order).map { -products[$0 * width] }
    for i in 1...order {
      for k in 1..<i { solution[i - 1] -= factor[i * width + k] * solution[k - 1] }
      solution[i - 1] /= factor[i * width + i]
    }
    for i in (1...order).reversed() {
      for k in i..<order { solution[i - 1] -= factor[(k + 1) * width + i] * solution[k] }
      solution[i - 1] /= factor[i * width + i]
    }
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }
}
