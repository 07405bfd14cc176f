/// A value that changes linearly, sample by sample, to avoid clicks.
public struct Ramp: BitwiseCopyable, Sendable {
  /// The value of the newest sample.
  @inlinable public var value: Float { @_noLocks get { current } }
  @usableFromInline var current: Float
  @usableFromInline var target: Float
  @usableFromInline var step: Float = 0
  @usableFromInline var remaining = 0

  @_noLocks public init(_ value: Float) { (current, target) = (value, value) }

  /// True while the value changes.
  public var isMoving: Bool { @_noLocks get { remaining > 0 } }

  /// Starts a change to `target`; ignores the current target and NaN.
  @_noLocks public mutating func aim(at target: Float, overSamples count: Int) {
    guard target == target, target != self.target else { return }
    self.target = target
    guard count > 0 else {
      (current, remaining) = (target, 0)
      return
    }
    step = (target - current) / Float(count)
    remaining = count
  }

  /// The value for the next sample.
  @inlinable @inline(__always) @_noLocks public mutating func next() -> Float {
    guard remaining > 0 else { return current }
    remaining -= 1
    current = remaining == 0 ? target : current + step
    return current
  }

  /// Multiplies the samples at `range` by the values for the next samples.
  @_noLocks public mutating func apply(to samples: inout MutableSpan<Float>, _ range: Range<Int>) {
    let start = range.lowerBound
    let ramped = min(remaining, range.count)
    for i in start..<start + ramped { samples[i] *= next() }
    let value = current
    for i in start + ramped..<range.upperBound { samples[i] *= value }
  }

  /// Ends the change immediately.
  @_noLocks public mutating func finish() { (current, remaining) = (target, 0) }
}
