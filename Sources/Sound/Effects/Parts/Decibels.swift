import DSP

/// Conversions between levels in dB and amplitudes.
///
/// - Cost: one power or logarithm to base 2; never allocates or locks.
enum Decibels {
  /// The amplitude of a level: 1 at 0 dB, 10 at 20 dB.
  @_noLocks static func gain(_ db: Double) -> Float {
    Float(RealtimeMath.exp2(db * 0.16609640474436813))  // log2(10) / 20
  }

  /// The level in dB, at least -200.
  @_noLocks static func level(_ amplitude: Float) -> Double {
    6.020599913279624 * RealtimeMath.log2(max(Double(amplitude), 1e-10))  // 20 log10(2)
  }
}
