import DSP

/// A value that moves softly to where it is wanted, without a kink on the way.
///
/// A kink in a delay is a jump in pitch. So the value follows two smoothings of one time constant in
/// a row, and it arrives: after 40 time constants it is exact.
struct Glide: Sendable {
  private(set) var value: Double
  private var target: Double
  private var halfway: Double
  private let share: Double  // of the way that is left, a sample

  /// - Parameter timeConstantSamples: of each of the two smoothings.
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

  /// Ends the movement at once.
  @_noLocks mutating func finish() { (value, halfway) = (target, target) }
}
