import DSP

extension HistoryBuffer {
  /// Returns the correlation of two stretches of `count` samples, weighted by a triangle, -1 to 1.
  ///
  /// It needs a window of `count` and 8 samples.
  @_noLocks func correlation(_ first: Int, _ second: Int, count: Int) -> Float {
    let (first, second) = (place(of: first), place(of: second))
    let half = Float(count + 1) / 2
    let slope = 1 / half
    let ramp = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8) - half
    var (product, early, late) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
    var n = 0
    while n < count {
      let position = ramp + Float(n)
      let weight = 1 - slope * position.replacing(with: -position, where: position .< 0)
      let inside = weight.replacing(with: 0, where: weight .< 0)
      let (a, b) = (eight(inWindow: first &+ n), eight(inWindow: second &+ n))
      product += inside * a * b
      early += inside * a * a
      late += inside * b * b
      n &+= 8
    }
    return product.sum() / max(RealtimeMath.root(early.sum() * late.sum()), 1e-20)
  }
}
