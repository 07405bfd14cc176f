import DSP

/// The past of a sound: samples in a ring.
///
/// - Allocates: in `init` only.
struct DelayLine: ~Copyable {
  /// A power of two, and then the first samples once more, so that eight in a row never wrap.
  private var ring: FloatBuffer
  private let size: Int
  private var now = 0  // index of the newest sample

  private static var repeated: Int { @inline(__always) @_noLocks get { 8 } }

  /// - Parameter longestSamples: the longest delay that will be asked for.
  init(longestSamples: Int) {
    let needed = longestSamples + Self.repeated
    size = 1 << (Int.bitWidth - needed.leadingZeroBitCount)
    ring = FloatBuffer(count: size + Self.repeated)
  }

  @_noLocks mutating func reset() {
    ring.clear()
    now = 0
  }

  /// Takes the next sample, which then is the one of delay 0.
  @inline(__always) @_noLocks mutating func push(_ sample: Float) {
    now = (now &+ 1) & (size &- 1)
    let kept = sample.flushed
    ring[now] = kept
    if now < Self.repeated { ring[now &+ size] = kept }
  }

  /// The sample of `delay` ago.
  @inline(__always) subscript(delay: Int) -> Float {
    @_noLocks get { ring[(now &- delay) & (size &- 1)] }
  }

  /// Eight samples, from that of `delay` ago to that of `delay - 7`.
  @inline(__always) subscript(eightFrom delay: Int) -> SIMD8<Float> {
    @_noLocks get { ring[eightAt: (now &- delay) & (size &- 1)] }
  }
}
