/// A value that changes on a straight line, sample by sample, so that nothing clicks.
public struct Ramp: Sendable {
  public private(set) var value: Float
  private var target: Float
  private var step: Float = 0
  private var remaining = 0

  @_noLocks public init(_ value: Float) { (self.value, target) = (value, value) }

  /// Whether it still changes.
  public var isMoving: Bool { @_noLocks get { remaining > 0 } }

  /// A value that is aimed at already goes on as it was; one that is not a number changes nothing.
  @_noLocks public mutating func aim(at target: Float, overSamples count: Int) {
    guard target == target, target != self.target else { return }
    self.target = target
    guard count > 0 else {
      (value, remaining) = (target, 0)
      return
    }
    step = (target - value) / Float(count)
    remaining = count
  }

  /// The value for the next sample.
  @_noLocks public mutating func next() -> Float {
    guard remaining > 0 else { return value }
    remaining -= 1
    value = remaining == 0 ? target : value + step
    return value
  }

  /// Ends the change at once.
  @_noLocks public mutating func finish() { (value, remaining) = (target, 0) }
}
