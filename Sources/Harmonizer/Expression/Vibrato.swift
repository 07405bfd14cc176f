import DSP

/// A vibrato of the voice's own: a sine around the pitch that sets in after the note's onset.
///
/// It counts samples, so block boundaries change nothing, and every note's begins alike, upwards.
public struct Vibrato: Sendable, BitwiseCopyable {
  public struct Settings: ParameterizedSettings {
    public var rateHz = 5.5
    public var extentCents = 0.0
    public var onsetDelayMs = 200.0
    public var onsetRampMs = 300.0

    public static let parameters: [Parameter<Settings>] = [
      .init("rateHz", \.rateHz, in: 0.1...20, "rate of the voice's own vibrato"),
      .init(
        "extentCents", \.extentCents, in: 0...600,
        "extent of the voice's own vibrato, to either side"),
      .init("onsetDelayMs", \.onsetDelayMs, in: 0...10_000, "straight tone before that vibrato"),
      .init(
        "onsetRampMs", \.onsetRampMs, in: 0...10_000, "time until that vibrato is at its extent"),
    ]

    public init() {}
  }

  private let extentCents: Double
  private let turnsPerSample: Double
  private let delay: Int  // samples
  private let ramp: Double  // samples
  private var place = 0  // samples since the note began

  public init(_ settings: Settings, sampleRateHz: Double) {
    extentCents = settings.extentCents
    turnsPerSample = settings.rateHz / sampleRateHz
    delay = Int((settings.onsetDelayMs / 1000 * sampleRateHz).rounded())
    ramp = settings.onsetRampMs / 1000 * sampleRateHz
  }

  @_noLocks public mutating func begin() { place = 0 }

  /// Away from the middle, now.
  public var cents: Double {
    @_noLocks get {
      let age = Double(place - delay)
      guard age > 0, extentCents > 0 else { return 0 }
      let turns = age * turnsPerSample
      let swing = extentCents * sineOf(turns: turns - Double(floorOf(turns)))
      return age < ramp ? swing * age / ramp : swing
    }
  }

  /// Goes on for a block; returns the cents at its end.
  @_noLocks public mutating func next(samples: Int) -> Double {
    place += samples
    return cents
  }

  @_noLocks public mutating func reset() { place = 0 }
}
