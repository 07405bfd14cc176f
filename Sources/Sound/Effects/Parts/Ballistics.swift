import DSP

/// Follows a value with separate attack and release times.
///
/// Attack and release are times to 63 % (1 - 1/e) of a step.
///
/// - Source: the smooth branching detector of Giannoulis, Massberg and Reiss, "Digital dynamic
///   range compressor design – a tutorial and analysis", J. Audio Eng. Soc. 60(6), 2012.
struct Ballistics {
  private(set) var value = 0.0
  private var attack = 0.0  // the share of the distance kept per sample
  private var release = 0.0

  init(attackSamples: Double, releaseSamples: Double) {
    setTimes(attackSamples: attackSamples, releaseSamples: releaseSamples)
  }

  @_noLocks mutating func setTimes(attackSamples: Double, releaseSamples: Double) {
    attack = Self.kept(attackSamples)
    release = Self.kept(releaseSamples)
  }

  @_noLocks mutating func reset(to value: Double = 0) { self.value = value }

  @inline(__always) @_noLocks mutating func follow(_ target: Double) -> Double {
    let kept = target > value ? attack : release
    value = target + kept * (value - target)
    if abs(value - target) < 1e-9 { value = target }
    return value
  }

  @_noLocks private static func kept(_ samples: Double) -> Double {
    samples > 0 ? RealtimeMath.exp(-1 / samples) : 0
  }
}
