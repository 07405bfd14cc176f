import DSP

/// A value that moves smoothly to its target, with a continuous slope.
///
/// A bend in a delay is a jump in pitch. The value therefore passes two one-pole filters of the
/// same time constant. After 40 time constants it is exact.
struct Glide: Sendable {
  private(set) var value: Double
  private var target: Double
  private var halfway: Double
  private let share: Double  // the share of the remaining distance per sample

  /// - Parameter timeConstantSamples: the time constant of each of the two filters.
  init(_ value: Double, timeConstantSamples: Double) {
    (self.value, target, halfway) = (value, value, value)
    share = 1 - RealtimeMath.exp(-1 / max(timeConstantSamples, 1))
  }

  @_noLocks mutating func aim(at target: Double) { self.target = target }

  /// The value for the next sample.
  @inline(__always) @_noLocks mutating func next() -> Double {
    guard value != target || halfway != target else { return value }
    halfway += share * (target - halfway)
    value += share * (halfway - value)
    let near = 1e-9 * (abs(target) + 1e-9)
    if abs(halfway - target) < near && abs(value - target) < near { finish() }
    return value
  }

  /// Ends the movement immediately.
  @_noLocks mutating func finish() { (value, halfway) = (target, target) }
}
