import Foundation

/// A generator of random numbers that are the same on every machine for the same seed.
///
/// Source: SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  @usableFromInline var state: UInt64

  @_noLocks public init(seed: UInt64) { state = seed }

  /// Passes over `count` numbers at once.
  package mutating func skip(_ count: Int) {
    state &+= UInt64(count) &* 0x9e37_79b9_7f4a_7c15  // the step of `next`
  }

  @inlinable @_noLocks public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// A number uniformly distributed from 0 up to, not including, 1.
  @inlinable @_noLocks public mutating func uniform() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Returns two independent normal deviates.
  ///
  /// - Source: Box and Muller, "A note on the generation of random normal deviates", 1958.
  package mutating func gaussianPair() -> (Double, Double) {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    let angle = 2 * Double.pi * uniform()
    return (radius * cos(angle), radius * sin(angle))
  }
}
