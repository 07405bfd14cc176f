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

  /// Brings the next samples to the level.
  @_noLocks mutating func apply(to samples: inout MutableSpan<Float>) {
    let count = samples.count
    let ramped = min(remaining, count)
    for i in 0..<ramped {
      remaining -= 1
      value = remaining == 0 ? target : value + step
      samples[i] *= value
    }
    let level = value
    for i in ramped..<count { samples[i] *= level }
  }
}
