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

extension HistoryBuffer {
  /// Refines a lag to a fraction of a sample: one step from a guess towards the best correlation.
  ///
  /// The step is a Gauss-Newton step on the squared difference of the first stretch and the second,
  /// interpolated and scaled to its level; both are weighted by a triangle as in `correlation`. A
  /// parabola through correlations one sample apart is biased by the ends of the stretches, by
  /// hundredths of a sample. This step is exact wherever the sound repeats.
  ///
  /// - Parameters:
  ///   - guess: lag beyond `second - first` samples, within one of the truth.
  ///   - count: number of samples compared.
  /// - Returns: `guess` itself if the sound gives no information.
  @_noLocks func finerLag(_ first: Int, _ second: Int, guess: Double, count: Int) -> Double {
    let whole = guess < 0 ? -1 : 0
    let (values, slopes) = Lagrange.weightsAndSlopes(guess - Double(whole))
    let half = Float(count + 1) / 2
    let ramp = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8) - half
    // Sums over the first stretch a, the second b and its slope d.
    var (abs, bbs, ads, bds, dds) = (
      SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero,
      SIMD8<Float>.zero
    )
    var n = 0
    while n < count {
      let position = ramp + Float(n)
      let weight = 1 - (1 / half) * position.replacing(with: -position, where: position .< 0)
      let inside = weight.replacing(with: 0, where: weight .< 0)
      let a = self[eightAt: first &+ n]
      var (b, d) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
      for k in 0..<6 {
        let near = self[eightAt: second &+ whole &+ n &+ k &- 2]
        b += values[k] * near
        d += slopes[k] * near
      }
      let (heavyB, heavyD) = (inside * b, inside * d)
      abs += heavyB * a
      bbs += heavyB * b
      ads += heavyD * a
      bds += heavyD * b
      dds += heavyD * d
      n &+= 8
    }
    let (ab, bb, ad, bd, dd) = (abs.sum(), bbs.sum(), ads.sum(), bds.sum(), dds.sum())
    guard bb > 1e-20, ab > 0 else { return guess }
    // Use only the part of the slope that isn't a change of level.
    let sharpness = (ab / bb) * (dd - bd * bd / bb)
    guard sharpness > 1e-20 else { return guess }
    let step = Double((ad - bd * ab / bb) / sharpness)
    return step.magnitude < 0.5 ? guess + step : guess
  }
}
