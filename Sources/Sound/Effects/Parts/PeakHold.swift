import DSP

/// The largest of the last `samples` values.
///
/// It is the constant amplitude of a rectified sine whose half period fits in. Stored are the
/// values that may still become the largest: each is larger than all later ones.
///
/// - Cost: a value goes in once and out once, so a few comparisons each. Allocates in `init` only.
/// - Source: Lemire, "Streaming maximum-minimum filter using no more than three comparisons per
///   element", Nordic Journal of Computing 13(4), 2006.
struct PeakHold: ~Copyable {
  let samples: Int
  private var values: RealtimeArray<Float>  // a ring whose length is a power of two
  private var times: RealtimeArray<Int>
  private let mask: Int
  private var first = 0  // number of the largest value
  private var end = 0  // number after the latest value; neither wraps
  private var now = 0

  init(samples: Int) {
    let samples = max(samples, 1)
    self.samples = samples
    let room = powerOfTwo(above: samples)
    values = RealtimeArray<Float>(count: room)
    times = RealtimeArray(count: room)
    mask = room - 1
  }

  @_noLocks mutating func reset() { (first, end, now) = (0, 0, 0) }

  /// Adds a value; returns the largest of the last `samples`, including it.
  @inline(__always) @_noLocks mutating func next(_ value: Float) -> Float {
    while end != first, values[(end &- 1) & mask] <= value { end &-= 1 }
    values[end & mask] = value
    times[end & mask] = now
    end &+= 1
    if times[first & mask] &+ samples <= now { first &+= 1 }
    now &+= 1
    return values[first & mask]
  }
}
