import DSP

/// A second-order high-pass and low-pass (Butterworth) in series, for two channels, whose corners
/// can move.
struct BandCut: Sendable {
  private var lowCut = TwoPole<Float>()
  private var highCut = TwoPole<Float>()
  private var lowTangent: Ramp
  private var highTangent: Ramp
  private let sampleRateHz: Double

  private static var damping: Float { @_noLocks get { 1.414_213_6 } }  // Butterworth

  init(lowHz: Double, highHz: Double, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    lowTangent = Ramp(Self.tangent(lowHz, sampleRateHz))
    highTangent = Ramp(Self.tangent(highHz, sampleRateHz))
  }

  @_noLocks mutating func reset() {
    lowTangent.finish()
    highTangent.finish()
    lowCut.reset()
    highCut.reset()
  }

  @_noLocks mutating func aim(lowHz: Double, highHz: Double, overSamples count: Int) {
    lowTangent.aim(at: Self.tangent(lowHz, sampleRateHz), overSamples: count)
    highTangent.aim(at: Self.tangent(highHz, sampleRateHz), overSamples: count)
  }

  /// The band between both frequencies; each filter has -3 dB at its own and 12 dB an octave
  /// beyond.
  @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Float>) -> SIMD2<Float> {
    let k = Self.damping
    let (band, low) = lowCut.next(input, tangent: lowTangent.next(), damping: k)
    return highCut.next(input - k * band - low, tangent: highTangent.next(), damping: k).low
  }

  @_noLocks private static func tangent(_ hz: Double, _ sampleRateHz: Double) -> Float {
    Float(RealtimeMath.tangent(.pi * min(hz / sampleRateHz, 0.45)))
  }
}
