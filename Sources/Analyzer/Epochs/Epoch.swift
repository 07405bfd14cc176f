/// A mark that separates the periods of a sound.
public struct Epoch: Equatable, Sendable, BitwiseCopyable {
  /// Position in input samples from the first; may be fractional.
  public var timeSamples: Double
  /// Distance from the previous mark, which is the period if both are voiced.
  public var spacingSamples: Double
  /// True for a mark of a voice's period, false for a regular step between voices.
  public var isVoiced: Bool

  @_noLocks public init(timeSamples: Double, spacingSamples: Double, isVoiced: Bool) {
    self.timeSamples = timeSamples
    self.spacingSamples = spacingSamples
    self.isVoiced = isVoiced
  }
}
