/// What a streaming tracker says of one instant, once and for all.
public struct PitchEstimate: Equatable, Sendable, BitwiseCopyable {
  /// The instant it speaks of, in samples of the input from the first.
  public var timeSamples: Int
  /// How much more sound the tracker had taken when it said so: never more nor less than its
  /// stated look-ahead.
  public var ageSamples: Int
  /// Fundamental frequency; 0 where there is no voice.
  public var f0Hz: Double
  /// How periodic the sound is, 0 to 1, whether or not it was taken for voice.
  public var voicing: Double

  @_noLocks init(timeSamples: Int, ageSamples: Int, f0Hz: Double, voicing: Double) {
    self.timeSamples = timeSamples
    self.ageSamples = ageSamples
    self.f0Hz = f0Hz
    self.voicing = voicing
  }

  /// The least one can say.
  static var none: PitchEstimate {
    @_noLocks get { PitchEstimate(timeSamples: 0, ageSamples: 0, f0Hz: 0, voicing: 0) }
  }
}
