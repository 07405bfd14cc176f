import DSP

/// Delays two channels by a fixed number of samples, bit for bit.
///
/// - Allocates: in `init` only.
struct StereoDelay: ~Copyable {
  let samples: Int
  private var left: HistoryBuffer
  private var right: HistoryBuffer

  init(samples: Int) {
    self.samples = samples
    left = HistoryBuffer(longest: samples)
    right = HistoryBuffer(longest: samples)
  }

  @_noLocks mutating func reset() {
    left.reset()
    right.reset()
  }

  /// Takes a sample of each channel and writes those `samples` ago.
  @inline(__always) @_noLocks mutating func pass(
    _ l: Float, _ r: Float, _ laterLeft: inout Float, _ laterRight: inout Float
  ) {
    left.push(l)
    right.push(r)
    (laterLeft, laterRight) = (left[delay: samples], right[delay: samples])
  }
}
