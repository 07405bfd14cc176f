/// A level that changes on a straight line, sample by sample.
struct GainRamp {
  private(set) var value: Float
  private var target: Float
  private var step: Float = 0
  private var remaining = 0

  @_noLocks init(_ value: Float) { (self.value, target) = (value, value) }

  /// A level that is aimed at already goes on as it was.
  @_noLocks mutating func aim(at target: Float, overSamples count: Int) {
    guard target == target, target != self.target else { return }
    self.target = target
    guard count > 0 else {
      (value, remaining) = (target, 0)
      return
    }
    step = (target - value) / Float(count)
    remaining = count
  }

  /// The level of the next sample.
  @inline(__always) @_noLocks mutating func next() -> Float {
    guard remaining > 0 else { return value }
    remaining -= 1
    value = remaining == 0 ? target : value + step
    return value
  }

  /// Brings the next samples, those at `range`, to the level.
  @_noLocks mutating func apply(to samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    let start = range.lowerBound
    let ramped = min(remaining, range.count)
    for i in start..<start + ramped {
      remaining -= 1
      value = remaining == 0 ? target : value + step
      samples[i] *= value
    }
    let level = value
    for i in start + ramped..<range.upperBound { samples[i] *= level }
  }
}
