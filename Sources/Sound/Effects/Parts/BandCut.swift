import DSP

/// A second-order high-pass and low-pass (Butterworth) in series, for two channels, whose corners
/// can move.
///
/// - Source: Simper, "Linear trapezoidal integrated state variable filter", 2013.
struct BandCut: Sendable {
  private var low: Cut
  private var high: Cut
  private let sampleRateHz: Double

  init(lowHz: Double, highHz: Double, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    low = Cut(Self.angle(lowHz, sampleRateHz))
    high = Cut(Self.angle(highHz, sampleRateHz))
  }

  @_noLocks mutating func reset() {
    low.reset()
    high.reset()
  }

  @_noLocks mutating func aim(lowHz: Double, highHz: Double, overSamples count: Int) {
    low.g.aim(at: Self.angle(lowHz, sampleRateHz), overSamples: count)
    high.g.aim(at: Self.angle(highHz, sampleRateHz), overSamples: count)
  }

  /// The band between both frequencies; each filter has -3 dB at its own and 12 dB an octave
  /// beyond.
  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
    let above = low.split(input).above
    return high.split(above).below
  }

  @_noLocks private static func angle(_ hz: Double, _ sampleRateHz: Double) -> Float {
    Float(RealtimeMath.tangent(.pi * min(hz / sampleRateHz, 0.45)))
  }

  /// One state-variable filter.
  private struct Cut: Sendable {
    var g: Ramp
    private var first = SIMD2<Float>.zero
    private var second = SIMD2<Float>.zero

    init(_ g: Float) { self.g = Ramp(g) }

    @_noLocks mutating func reset() {
      g.finish()
      (first, second) = (.zero, .zero)
    }

    @inline(__always) @_noLocks mutating func split(
      _ input: SIMD2<Float>
    ) -> (below: SIMD2<Float>, above: SIMD2<Float>) {
      let g = g.next()
      let k: Float = 1.414_213_6  // Butterworth
      let a = 1 / (1 + g * (g + k))
      let rest = input - second
      let band = a * (first + g * rest)
      let below = second + g * band
      first = (2 * band - first).flushed
      second = (2 * below - second).flushed
      return (below, input - k * band - below)
    }
  }
}
