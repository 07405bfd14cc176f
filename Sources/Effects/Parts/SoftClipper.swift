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
    roots[0] = Self.root(sample)
  }

  /// The output for a constant input of `sample`.
  @_noLocks static func bent(_ sample: Float) -> Float { sample / root(sample) }

  /// Shapes the first `count` samples of `wave` in place.
  @_noLocks mutating func pass(_ wave: inout RealtimeArray<Float>, _ count: Int) {
    guard count > 0 else { return }
    for i in 0..<count { roots[i &+ 1] = Self.root(wave[i]) }
    bent[0] = (last + wave[0]) / (roots[0] + roots[1])
    for i in 1..<count { bent[i] = (wave[i &- 1] + wave[i]) / (roots[i] + roots[i &+ 1]) }
    last = wave[count - 1]
    roots[0] = roots[count]
    for i in 0..<count { wave[i] = bent[i] }
  }

  @inline(__always) @_noLocks private static func root(_ x: Float) -> Float {
    RealtimeMath.root(1 + x * x)
  }
}
