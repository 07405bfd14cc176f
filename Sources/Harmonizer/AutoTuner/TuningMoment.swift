/// What an auto-tuner made of one instant of the sound.
public struct TuningMoment: Codable, Equatable, Sendable, BitwiseCopyable {
  /// Of the input; in the output it is heard the tuner's latency later.
  public var sample: Int
  /// As it was believed; 0 where there was no voice.
  public var leadHz: Double
  /// The note that the voice was on, and its frequency; `nil` where none.
  public var key: Int?
  public var targetHz: Double?
  /// How far the voice was moved up.
  public var correctionCents: Double

  @_noLocks init(
    sample: Int, leadHz: Double, key: Int?, targetHz: Double?, correctionCents: Double
  ) {
    (self.sample, self.leadHz, self.correctionCents) = (sample, leadHz, correctionCents)
    (self.key, self.targetHz) = (key, targetHz)
  }
}
