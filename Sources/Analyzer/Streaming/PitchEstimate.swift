/// The final estimate of a streaming tracker for one instant.
public struct PitchEstimate: Equatable, Sendable, BitwiseCopyable {
  /// The instant, in samples of the input from the first.
  public var timeSamples: Int
  /// Age of the estimate: the number of samples processed after its instant, always equal to the
  /// stated look-ahead.
  public var ageSamples: Int
  /// Fundamental frequency; 0 if unvoiced.
  public var f0Hz: Double
  /// Periodicity of the sound, 0 to 1, voiced or not.
  public var voicing: Double

  @_noLocks init(timeSamples: Int, ageSamples: Int, f0Hz: Double, voicing: Double) {
    self.timeSamples = timeSamples
    self.ageSamples = ageSamples
    self.f0Hz = f0Hz
    self.voicing = voicing
  }

  /// The initial estimate, unvoiced at time 0.
  static var none: PitchEstimate {
    @_noLocks get { PitchEstimate(timeSamples: 0, ageSamples: 0, f0Hz: 0, voicing: 0) }
  }
}
