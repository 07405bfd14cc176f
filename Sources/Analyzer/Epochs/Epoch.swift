/// One mark in a sound to cut it into periods by.
public struct Epoch: Equatable, Sendable, BitwiseCopyable {
  /// Where it is, in samples of the input from the first, between samples too.
  public var timeSamples: Double
  /// From the mark before; to be taken for the period where both are voiced.
  public var spacingSamples: Double
  /// Whether it marks a period of a voice, or one of the regular steps between voices.
  public var isVoiced: Bool

  @_noLocks public init(timeSamples: Double, spacingSamples: Double, isVoiced: Bool) {
    self.timeSamples = timeSamples
    self.spacingSamples = spacingSamples
    self.isVoiced = isVoiced
  }
}
