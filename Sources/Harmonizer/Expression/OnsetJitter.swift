import DSP

/// Random delay of each note of a voice: no two singers start together.
///
/// Delays are spread evenly from none to the longest. Equal seeds give equal delays.
public struct OnsetJitter: Sendable {
  public struct Settings: ParameterizedSettings {
    public var jitterMs = 0.0

    public static let parameters: [Parameter<Settings>] = [
      .init("jitterMs", \.jitterMs, in: 0...200, "greatest random delay of a note")
    ]

    public init() {}
  }

  private let longest: Double  // samples
  private let seed: UInt64
  private var random: SeededGenerator

  public init(_ settings: Settings, seed: UInt64, sampleRateHz: Double) {
    longest = settings.jitterMs / 1000 * sampleRateHz
    self.seed = seed
    random = SeededGenerator(seed: seed)
  }

  /// The delay of the next note.
  @_noLocks public mutating func nextDelaySamples() -> Int {
    nearestOf(longest * random.uniform())
  }

  @_noLocks public mutating func reset() { random = SeededGenerator(seed: seed) }
}
