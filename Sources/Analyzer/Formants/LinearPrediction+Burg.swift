extension LinearPrediction {
  /// Finds the filter by Burg's method: each step adds the reflection coefficient with the least
  /// error, forwards and backwards in time together.
  ///
  /// The filter is always stable. Once nothing is left to predict, the remaining coefficients are
  /// 0.
  ///
  /// - Parameter samples: more than `order` samples, tapered by the caller if desired.
  /// - Cost: about `8 * order * samples.count` operations. Allocates.
  /// - Source: Burg, "Maximum entropy spectral analysis", 37th meeting of the Society of
  ///   Exploration Geophysicists, 1967; Childers, "Modern Spectrum Analysis", IEEE Press, 1978, pp.
  ///   252-255.
  public init(burg samples: [Double], order: Int) {
    precondition(order >= 1 && samples.count > order, "more samples than the order")
    var coefficients = [1.0] + Array(repeating: 0, count: order)
    var forward = samples
    var backward = samples
    forward.withUnsafeMutableBufferPointer { forward in
      backward.withUnsafeMutableBufferPointer { backward in
        let energy = sumOfProducts(forward.baseAddress!, forward.baseAddress!, samples.count)
        for step in 1...order {
          let count = samples.count - step
          // A sample's backward error is stored at its oldest sample, which aligns the two errors
          // that a reflection mixes.
          let f = forward.baseAddress! + step
          let b = backward.baseAddress!
          let both = sumOfProducts(f, f, count) + sumOfProducts(b, b, count)
          guard both > 1e-14 * energy else { break }
          let reflection = -2 * sumOfProducts(f, b, count) / both
          for i in 0..<count {
            let (ahead, behind) = (f[i], b[i])
            f[i] = ahead + reflection * behind
            b[i] = behind + reflection * ahead
          }
          let shorter = coefficients
          for k in 1...step { coefficients[k] += reflection * shorter[step - k] }
        }
      }
    }
    self.init(coefficients: coefficients)
  }
}
