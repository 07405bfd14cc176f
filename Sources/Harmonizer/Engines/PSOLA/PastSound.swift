import DSP

/// The latest samples of a stream, by their number from its beginning; before it there is silence.
struct PastSound: ~Copyable {
  private let length: Int  // a power of two
  private var past: FloatBuffer  // ring, twice over, so that any stretch is in a row

  /// - Parameter longest: how many of the latest samples can be asked for.
  init(longest: Int) {
    length = 1 << (Int.bitWidth - longest.leadingZeroBitCount)
    past = FloatBuffer(count: 2 * length)
  }

  @_noLocks mutating func reset() { past.clear() }

  /// Keeps a sample; one that is not finite, or beyond 1e9 and so too loud for the sums, counts as 0.
  @inline(__always) @_noLocks mutating func keep(_ sample: Float, at time: Int) {
    let place = time & (length &- 1)
    let sound = sample.magnitude <= 1e9 ? sample : 0
    past[place] = sound
    past[place &+ length] = sound
  }

  subscript(time: Int) -> Float {
    @inline(__always) @_noLocks get { past[time & (length &- 1)] }
  }

  /// Eight samples in a row; those not yet known are old ones, but finite.
  subscript(eightAt time: Int) -> SIMD8<Float> {
    @inline(__always) @_noLocks get { past[eightAt: time & (length &- 1)] }
  }

  /// Between the samples around eight instants in a row, by the weights of `Lagrange`.
  @inline(__always) @_noLocks func eight(at time: Int, _ weights: SIMD8<Float>) -> SIMD8<Float> {
    let first = (time &- 2) & (length &- 1)
    return SIMD8(lowHalf: four(from: first, weights), highHalf: four(from: first &+ 4, weights))
  }

  /// Four at a time, as many as a register holds: of eight the compiler takes some apart into lanes.
  @inline(__always) @_noLocks
  private func four(from first: Int, _ weights: SIMD8<Float>) -> SIMD4<Float> {
    var sum = weights[0] * past[fourAt: first]
    sum += weights[1] * past[fourAt: first &+ 1]
    sum += weights[2] * past[fourAt: first &+ 2]
    sum += weights[3] * past[fourAt: first &+ 3]
    sum += weights[4] * past[fourAt: first &+ 4]
    sum += weights[5] * past[fourAt: first &+ 5]
    return sum
  }
}

/// Interpolation by the polynomial through six samples: flat within 0.1 dB up to a third of the
/// sample rate.
///
/// - Source: Laakso et al., "Splitting the unit delay", IEEE Signal Processing Magazine, 1996.
enum Lagrange {
  /// Weights of the samples -2 to 3 from the one before an instant; the last two are 0.
  @inline(__always) @_noLocks static func weights(_ fraction: Double) -> SIMD8<Float> {
    let x = fraction
    let (a, b, c, d, e) = (x + 2, x + 1, x - 1, x - 2, x - 3)
    return SIMD8<Float>(
      Float(-b * x * c * d * e / 120), Float(a * x * c * d * e / 24),
      Float(-a * b * c * d * e / 12), Float(a * b * x * d * e / 12),
      Float(-a * b * x * c * e / 24), Float(a * b * x * c * d / 120), 0, 0)
  }
}
