import DSP

/// Two channels, later by a fixed number of samples, to the bit.
struct StereoDelay: ~Copyable {
  let samples: Int
  private var left: FloatBuffer
  private var right: FloatBuffer
  private var place = 0

  init(samples: Int) {
    self.samples = samples
    left = FloatBuffer(count: max(samples, 1))
    right = FloatBuffer(count: max(samples, 1))
  }

  @_noLocks mutating func reset() {
    left.clear()
    right.clear()
    place = 0
  }

  /// Takes a sample of each channel and gives those of `samples` ago.
  @inline(__always) @_noLocks mutating func pass(
    _ l: Float, _ r: Float, _ laterLeft: inout Float, _ laterRight: inout Float
  ) {
    guard samples > 0 else {
      (laterLeft, laterRight) = (l, r)
      return
    }
    (laterLeft, laterRight) = (left[place], right[place])
    left[place] = l
    right[place] = r
    place = place + 1 == samples ? 0 : place + 1
  }
}
