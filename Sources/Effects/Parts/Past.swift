import DSP

/// The last samples of a stream, in a row in memory, the oldest first.
///
/// - Cost: two writes a sample. Allocates in `init` only.
struct Past: ~Copyable {
  let count: Int  // a multiple of 8
  private var samples: FloatBuffer  // twice over, so that any stretch is in a row
  private var oldest = 0  // index in `samples`

  /// At least `count` samples of silence.
  init(atLeast count: Int) {
    self.count = (count + 7) / 8 * 8
    samples = FloatBuffer(count: 2 * self.count)
  }

  @_noLocks mutating func reset() {
    samples.clear()
    oldest = 0
  }

  @inline(__always) @_noLocks mutating func take(_ sample: Float) {
    samples[oldest] = sample
    samples[oldest &+ count] = sample
    oldest &+= 1
    if oldest == count { oldest = 0 }
  }

  /// Eight samples at once; for streams that are never taken otherwise.
  @inline(__always) @_noLocks mutating func take(_ eight: SIMD8<Float>) {
    samples[eightAt: oldest] = eight
    samples[eightAt: oldest &+ count] = eight
    oldest &+= 8
    if oldest == count { oldest = 0 }
  }

  /// From 0, the oldest, to `count - 1`, the newest; without a check.
  @inline(__always) @_noLocks subscript(index: Int) -> Float { samples[oldest &+ index] }

  /// The sum of the products of all `taps`, a multiple of 16, with the samples from `start` on;
  /// without a check.
  @inline(__always) @_noLocks func dot(
    _ taps: borrowing FloatBuffer, from start: Int = 0
  ) -> Float {
    var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    let first = oldest &+ start
    var i = 0
    while i < taps.count {
      even += taps[eightAt: i] * samples[eightAt: first &+ i]
      odd += taps[eightAt: i &+ 8] * samples[eightAt: first &+ i &+ 8]
      i &+= 16
    }
    let all = even + odd
    let four = SIMD4(all[0], all[1], all[2], all[3]) + SIMD4(all[4], all[5], all[6], all[7])
    return (four[0] + four[2]) + (four[1] + four[3])
  }
}
