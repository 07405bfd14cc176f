/// Decision of an auto-tuner for one instant of the sound.
public struct TuningMoment: Codable, Equatable, Sendable, BitwiseCopyable {
  /// Sample of the input; the output has it later by the tuner's latency.
  public var sample: Int
  /// Pitch that the tracker estimated; 0 where there was no voice.
  public var leadHz: Double
  /// The note that the voice was on, and its frequency; `nil` where none.
  public var key: Int?
  public var targetHz: Double?
  /// Shift of the voice; positive is up.
  public var correctionCents: Double

  @_noLocks init(
    sample: Int, leadHz: Double, key: Int?, targetHz: Double?, correctionCents: Double
  ) {
    (self.sample, self.leadHz, self.correctionCents) = (sample, leadHz, correctionCents)
    (self.key, self.targetHz) = (key, targetHz)
  }
}
