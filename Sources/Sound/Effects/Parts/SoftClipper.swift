import DSP

/// Shapes a wave towards ±1 by `x / √(1 + x²)`, with reduced aliasing.
///
/// The wave is taken as linear between samples, and the output is the mean of the shaped wave from
/// one sample to the next, half a sample late. As the curve has the antiderivative √(1 + x²), the
/// mean from a to b is `(a + b) / (√(1 + a²) + √(1 + b²))`, which needs no difference of nearly
/// equal numbers and no special case for a = b.
///
/// - Cost: a root, a division and five operations a sample, four at once. Allocates in `init` only.
/// - Source: Parker, Zavalishin and Le Bivic, "Reducing the aliasing of nonlinear waveshaping using
///   continuous-time convolution", DAFx-16, 2016.
struct SoftClipper: ~Copyable {
  private var roots: RealtimeArray<Float>  // the first is that of the previous sample
  private var bent: RealtimeArray<Float>
  private var last: Float = 0

  /// - Parameter longest: the largest number of samples per call.
  init(longest: Int) {
    roots = RealtimeArray<Float>(count: longest + 1)
    bent = RealtimeArray<Float>(count: longest)
    reset()
  }

  @_noLocks mutating func reset(to sample: Float = 0) {
    last = sample
    roots[unchecked: 0] = Self.root(sample)
  }

  /// The output for a constant input of `sample`.
  @_noLocks static func bent(_ sample: Float) -> Float { sample / root(sample) }

  /// Shapes the first `count` samples of `wave` in place.
  @_noLocks mutating func pass(_ wave: inout RealtimeArray<Float>, _ count: Int) {
    precondition(count <= wave.count, "more samples than the wave holds")
    guard count > 0 else { return }
    for i in 0..<count { roots[unchecked: i &+ 1] = Self.root(wave[unchecked: i]) }
    bent[unchecked: 0] = (last + wave[unchecked: 0]) / (roots[unchecked: 0] + roots[unchecked: 1])
    for i in 1..<count {
      bent[unchecked: i] =
        (wave[unchecked: i &- 1] + wave[unchecked: i])
        / (roots[unchecked: i] + roots[unchecked: i &+ 1])
    }
    last = wave[unchecked: count - 1]
    roots[unchecked: 0] = roots[unchecked: count]
    for i in 0..<count { wave[unchecked: i] = bent[unchecked: i] }
  }

  @inline(__always) @_noLocks private static func root(_ x: Float) -> Float {
    RealtimeMath.root(1 + x * x)
  }
}
