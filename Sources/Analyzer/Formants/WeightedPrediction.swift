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
  public init?(energyWeighted samples: [Double], taper: [Double], memorySamples: Int, order: Int) {
    precondition(order >= 1 && samples.count > 2 * order, "more than twice as many samples")
    precondition(taper.count == samples.count, "one value of the taper per sample")
    let weights = Self.weights(samples, taper, memorySamples)
    let count = samples.count - order
    var products = SymmetricMatrix(count: order)
    var right = [Double](repeating: 0, count: order)
    var weighted = [Double](repeating: 0, count: count)
    samples.withUnsafeBufferPointer { samples in
      weights.withUnsafeBufferPointer { weights in
        for row in 1...order {
          for i in 0..<count { weighted[i] = weights[order + i] * samples[order - row + i] }
          right[row - 1] = -sumOfProducts(weighted, samples.baseAddress! + order, count)
          for column in 1...row {
            products[row - 1, column - 1] = sumOfProducts(
              weighted, samples.baseAddress! + (order - column), count)
          }
        }
      }
    }
    // A trace of noise, 90 dB down, keeps a sound of few sines from giving a singular matrix.
    guard let solution = products.factored(damping: 1e-9)?.solved(right),
      solution.allSatisfy(\.isFinite)
    else { return nil }
    self.init(coefficients: [1] + solution)
  }

  private static func weights(_ samples: [Double], _ taper: [Double], _ memory: Int) -> [Double] {
    var weights = taper
    for n in samples.indices {
      var energy = 0.0
      for past in max(0, n - memory)..<n { energy += samples[past] * samples[past] }
      weights[n] *= energy * energy
    }
    return weights
  }
}
