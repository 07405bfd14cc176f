import DSP

/// The latest samples of a stream, addressed by their number from its beginning.
struct RecentSound: ~Copyable {
  private let length: Int  // a power of two
  private var past: FloatBuffer  // ring, stored twice, so that any stretch is contiguous
  /// Number of samples so far.
  private(set) var count = 0

  /// - Parameter longest: number of the latest samples that stay available.
  init(longest: Int) {
    length = 1 << (Int.bitWidth - longest.leadingZeroBitCount)
    past = FloatBuffer(count: 2 * length + 8)
  }

  /// Number of the oldest available sample.
  var oldest: Int { @_noLocks get { max(0, count - length + 1) } }

  @_noLocks mutating func reset() {
    past.clear()
    count = 0
  }

  @_noLocks mutating func add(_ sample: Float) {
    let at = count & (length - 1)
    past[at] = sample
    past[at + length] = sample
    count &+= 1
  }

  /// Eight consecutive samples.
  @inline(__always) @_noLocks func eight(from position: Int) -> SIMD8<Float> {
    past[eightAt: position & (length - 1)]
  }

  subscript(position: Int) -> Float { @_noLocks get { past[position & (length - 1)] } }

  /// Returns the correlation of two stretches of `count` samples, weighted by a triangle, -1 to 1.
  @_noLocks func correlation(_ first: Int, _ second: Int, count: Int) -> Float {
    let (first, second) = (first & (length - 1), second & (length - 1))
    let half = Float(count + 1) / 2
    let slope = 1 / half
    let ramp = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8) - half
    var (product, early, late) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    var n = 0
    while n < count {
      let position = ramp + Float(n)
      let weight = 1 - slope * position.replacing(with: -position, where: position .< 0)
      let inside = weight.replacing(with: 0, where: weight .< 0)
      let (a, b) = (past[eightAt: first &+ n], past[eightAt: second &+ n])
      product += inside * a * b
      early += inside * a * a
      late += inside * b * b
      n &+= 8
    }
    return product.sum() / max(RealtimeMath.root(early.sum() * late.sum()), 1e-20)
  }
}
