extension LinearPrediction {
  /// Finds the filter by Burg's method: each step adds the reflection coefficient with the least
  /// error, forwards and backwards in time together.
  ///
  /// The filter is always stable. Once nothing is left to predict, the remaining coefficients are
  /// 0.
  ///
  /// - Parameter samples: more than `order` samples, tapered by the caller if desired.
  /// - Cost: about `10 * order * samples.count` operations in one pass for each step. Allocates.
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
        var sums = LatticeSums(forward.baseAddress! + 1, backward.baseAddress!, samples.count - 1)
        for step in 1...order {
          guard sums.squares > 1e-14 * energy else { break }
          let reflection = -2 * sums.product / sums.squares
          // A sample's backward error is stored at its oldest sample, which aligns the two errors
          // that a reflection mixes.
          sums = LatticeSums(
            mixing: forward.baseAddress! + step, backward.baseAddress!, samples.count - step,
            by: reflection)
          let shorter = coefficients
          for k in 1...step { coefficients[k] += reflection * shorter[step - k] }
        }
      }
    }
    self.init(coefficients: coefficients)
  }
}

/// Sums over the forward and backward errors that a step of Burg's method needs: of their product,
/// and of their squares.
private struct LatticeSums {
  private typealias Four = SIMD4<Double>

  private(set) var product: Double
  private(set) var squares: Double

  init(_ f: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int) {
    product = sumOfProducts(f, b, count)
    squares = sumOfProducts(f, f, count) + sumOfProducts(b, b, count)
  }

  /// Mixes the errors by a reflection and sums what the next step needs, which pairs each forward
  /// error with the backward error before.
  init(
    mixing f: UnsafeMutablePointer<Double>, _ b: UnsafeMutablePointer<Double>, _ count: Int,
    by reflection: Double
  ) {
    (product, squares) = (0, 0)
    // The next step has no use for the first forward and the last backward error.
    (f[0], b[0]) = (f[0] + reflection * b[0], b[0] + reflection * f[0])
    guard count > 1 else { return }
    var last = b[0]
    var (products, ahead, behind) = (Four.zero, Four.zero, Four.zero)
    let (left, right) = (UnsafeMutableRawPointer(f), UnsafeMutableRawPointer(b))
    let end = 1 + (count - 2) / 4 * 4
    for i in stride(from: 1, to: end, by: 4) {
      let place = 8 &* i
      let x = left.loadUnaligned(fromByteOffset: place, as: Four.self)
      let y = right.loadUnaligned(fromByteOffset: place, as: Four.self)
      let forward: Four = x + y * reflection
      let backward: Four = y + x * reflection
      left.storeBytes(of: forward, toByteOffset: place, as: Four.self)
      right.storeBytes(of: backward, toByteOffset: place, as: Four.self)
      products += forward * Four(last, backward[0], backward[1], backward[2])
      ahead += forward * forward
      behind += backward * backward
      last = backward[3]
    }
    product = products.sum()
    squares = ahead.sum() + behind.sum() + b[0] * b[0]
    for i in end..<count {
      (f[i], b[i]) = (f[i] + reflection * b[i], b[i] + reflection * f[i])
      product += f[i] * b[i - 1]
      squares += f[i] * f[i]
      if i < count - 1 { squares += b[i] * b[i] }
    }
  }
}
