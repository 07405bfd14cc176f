/// Goes from one sound to another on a straight line, sample by sample.
struct Crossfade {
  private var share: Float  // of the second sound
  private var target: Float
  private var step: Float = 0
  private var remaining = 0

  @_noLocks init(toSecond: Bool) {
    share = toSecond ? 1 : 0
    target = share
  }

  @_noLocks mutating func aim(toSecond: Bool, overSamples count: Int) {
    let target: Float = toSecond ? 1 : 0
    guard target != self.target else { return }
    self.target = target
    remaining = max(1, count)
    step = (target - share) / Float(remaining)
  }

  /// One sample; of either alone it is that, bit for bit.
  @inline(__always) @_noLocks mutating func next(_ first: Float, _ second: Float) -> Float {
    if remaining > 0 {
      remaining -= 1
      share = remaining == 0 ? target : share + step
    }
    return share == 0 ? first : share == 1 ? second : first + share * (second - first)
  }
}
