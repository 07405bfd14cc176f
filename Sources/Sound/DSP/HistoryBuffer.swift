/// The latest samples of a stream, read by their delay or by their number.
///
/// The first sample of the stream has the number 0, the newest `count - 1` and the delay 0. Silence
/// precedes the stream. A read is always within the memory: a sample that is too old, or not pushed
/// yet, reads as another sample of the stream.
///
/// - Cost: one write a sample, two in the first window of the ring. Allocates in `init` only.
public struct HistoryBuffer: ~Copyable, Sendable {
  /// A ring whose length is a power of two, followed by a copy of its start, so that a window is
  /// contiguous.
  @usableFromInline var ring: RealtimeArray<Float>
  @usableFromInline let mask: Int
  @usableFromInline let repeatedCount: Int
  @usableFromInline var pushed = 0

  /// The number of samples pushed since `init` or the last `reset`.
  @inlinable public var count: Int { @_semantics("no_performance_analysis") get { pushed } }

  /// - Parameters:
  ///   - longest: number of latest samples that can be read.
  ///   - window: length of the longest stretch that is read in a row, at least 8; `nil` is all.
  public init(longest: Int, window: Int? = 8) {
    precondition(longest >= 0, "a negative number of samples")
    let needed = max(longest, window ?? 8, 8)
    let length = powerOfTwo(above: needed)
    mask = length - 1
    // Whole blocks of eight, as `push` writes them.
    repeatedCount = window.map { (max($0, 8) + 7) / 8 * 8 } ?? length + 8
    ring = RealtimeArray(count: length + repeatedCount)
  }

  /// The number of the first sample that can still be read.
  @inlinable public var oldest: Int {
    @_semantics("no_performance_analysis") get { max(0, pushed - mask) }
  }

  /// Clears all samples.
  @_semantics("no_performance_analysis") public mutating func reset() {
    ring.clear()
    pushed = 0
  }

  /// Takes the next sample, which then has the delay 0.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public mutating func push(
    _ sample: Float
  ) {
    let place = pushed & mask
    ring[unchecked: place] = sample
    if place < repeatedCount { ring[unchecked: place &+ mask &+ 1] = sample }
    pushed &+= 1
  }

  /// Takes the next eight samples, the oldest first; for streams that are pushed in no other way.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public mutating func push(
    _ eight: SIMD8<Float>
  ) {
    let place = pushed & mask
    ring[uncheckedEightAt: place] = eight
    if place < repeatedCount { ring[uncheckedEightAt: place &+ mask &+ 1] = eight }
    pushed &+= 8
  }

  /// The sample with the given number.
  @inlinable public subscript(number: Int) -> Float {
    @inline(__always) @_semantics("no_performance_analysis") get { ring[unchecked: number & mask] }
  }

  /// Eight samples in a row, from the given number on.
  @inlinable public subscript(eightAt number: Int) -> SIMD8<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      ring[uncheckedEightAt: number & mask]
    }
  }

  /// The sample `delay` samples ago.
  @inlinable public subscript(delay delay: Int) -> Float {
    @inline(__always) @_semantics("no_performance_analysis") get { self[count &- 1 &- delay] }
  }

  /// Eight samples in a row, from `delay` to `delay - 7` samples ago.
  @inlinable public subscript(eightFromDelay delay: Int) -> SIMD8<Float> {
    @inline(__always) @_semantics("no_performance_analysis") get {
      self[eightAt: count &- 1 &- delay]
    }
  }

  /// The place in memory of the sample with the given number, for `inWindow`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public func place(
    of number: Int
  ) -> Int { number & mask }

  /// A sample within a window, without a check.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func sample(inWindow place: Int) -> Float { ring[unchecked: place] }

  /// Eight samples within a window, without a check.
  ///
  /// - Parameter place: `place(of:)` the first sample of the window, plus at most `window - 8`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public func eight(
    inWindow place: Int
  ) -> SIMD8<Float> {
    ring[uncheckedEightAt: place]
  }

  /// The value `delay` samples ago, linearly interpolated.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public func interpolated(
    delay: Double
  ) -> Float {
    let whole = Int(delay)
    let fraction = Float(delay - Double(whole))
    let newer = self[delay: whole]
    return newer + fraction * (self[delay: whole &+ 1] - newer)
  }

  /// Eight values in a row between samples, with the weights of `Lagrange` for their common
  /// fraction after the samples from `number` on. It needs a window of 16.
  @inlinable @inline(__always) @_semantics("no_performance_analysis") public func eight(
    at number: Int, _ weights: SIMD8<Float>
  ) -> SIMD8<Float> {
    let first = (number &- 2) & mask
    return SIMD8(lowHalf: four(from: first, weights), highHalf: four(from: first &+ 4, weights))
  }

  /// Four values, the width of a register: the compiler splits a sum of eight into lanes.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  func four(from first: Int, _ weights: SIMD8<Float>) -> SIMD4<Float> {
    var sum = weights[0] * ring[uncheckedFourAt: first]
    sum += weights[1] * ring[uncheckedFourAt: first &+ 1]
    sum += weights[2] * ring[uncheckedFourAt: first &+ 2]
    sum += weights[3] * ring[uncheckedFourAt: first &+ 3]
    sum += weights[4] * ring[uncheckedFourAt: first &+ 4]
    sum += weights[5] * ring[uncheckedFourAt: first &+ 5]
    return sum
  }
}
