import DSP

/// Clips at ±1 with reduced aliasing.
///
/// The wave is taken as linear between samples. The clipped wave is averaged with a triangle of one
/// sample to either side and sampled again, a sample late.
///
/// A segment from a to b = a + d has a rising weight and, for the previous sample, a falling one.
/// With only its ends clipped, to A and B, that gives A/6 + B/3 and A/3 + B/6. If the segment
/// crosses a clipping level at the share p of its length, with q = 1 - p, the clipped line bends
/// there. This adds |d| p q (1 + p) / 6 and |d| p q (1 + q) / 6 at the upper level and subtracts as
/// much at the lower.
///
/// - Cost: 40 operations a sample, four at once. Allocates in `init` only.
struct HardClipper: ~Copyable {
  private var rising: RealtimeArray<Float>  // the first is that of the previous sample
  private var falling: RealtimeArray<Float>
  private var last: Float = 0

  /// - Parameter longest: the largest number of samples per call.
  init(longest: Int) {
    rising = RealtimeArray<Float>(count: longest + 1)
    falling = RealtimeArray<Float>(count: longest)
  }

  @_noLocks mutating func reset() {
    last = 0
    rising[unchecked: 0] = 0
  }

  /// Clips the first `count` samples of `wave` in place.
  @_noLocks mutating func pass(_ wave: inout RealtimeArray<Float>, _ count: Int) {
    precondition(count <= wave.count, "more samples than the wave holds")
    guard count > 0 else { return }
    let end = wave[unchecked: count - 1]
    stretch(from: last, to: wave[unchecked: 0], 0)
    for i in 1..<count { stretch(from: wave[unchecked: i &- 1], to: wave[unchecked: i], i) }
    for i in 0..<count { wave[unchecked: i] = rising[unchecked: i] + falling[unchecked: i] }
    rising[unchecked: 0] = rising[unchecked: count]
    last = end
  }

  @inline(__always) @_noLocks private mutating func stretch(from a: Float, to b: Float, _ i: Int) {
    let (third, sixth) = (Float(1) / 3, Float(1) / 6)
    let d = b - a
    let perWay = d / (d * d + 1e-30)  // 1/d, or 0 for d = 0
    let (upperP, lowerP) = (Self.kept((1 - a) * perWay, 0), Self.kept((-1 - a) * perWay, 0))
    let (upperQ, lowerQ) = (1 - upperP, 1 - lowerP)
    let (upper, lower) = (upperP * upperQ, lowerP * lowerQ)
    let (clippedA, clippedB) = (Self.kept(a, -1), Self.kept(b, -1))
    let size = abs(d)
    let bendRising = size * (upper * (1 + upperP) - lower * (1 + lowerP))
    let bendFalling = size * (upper * (1 + upperQ) - lower * (1 + lowerQ))
    rising[unchecked: i &+ 1] = sixth * (clippedA + bendRising) + third * clippedB
    falling[unchecked: i] = sixth * (clippedB + bendFalling) + third * clippedA
  }

  /// The value limited to `lowest` to 1.
  @inline(__always) @_noLocks private static func kept(_ x: Float, _ lowest: Float) -> Float {
    let floored = x > lowest ? x : lowest
    return floored < 1 ? floored : 1
  }
}
