import DSP

/// Lets a note begin below its pitch and rise into it, as singers do.
///
/// The way up is half a cosine: it leaves and arrives without a corner.
public struct OnsetScoop: Sendable, BitwiseCopyable {
  public struct Settings: ParameterizedSettings {
    public var depthCents = 0.0
    public var scoopMs = 80.0

    public static let parameters: [Parameter<Settings>] = [
      .init(
        "depthCents", \.depthCents, in: -1200...1200,
        "distance below its note at which each note begins"),
      .init("scoopMs", \.scoopMs, in: 0...2000, "time until the note is reached"),
    ]

    public init() {}
  }

  private let depthCents: Double
  private let length: Int  // samples
  private var place: Int  // samples since the note began

  public init(_ settings: Settings, sampleRateHz: Double) {
    depthCents = settings.depthCents
    length = Int((settings.scoopMs / 1000 * sampleRateHz).rounded())
    place = length
  }

  @_noLocks public mutating func begin() { place = 0 }

  /// Away from the note, now; 0 once it is in.
  public var cents: Double {
    @_noLocks get {
      guard place < length else { return 0 }
      return -depthCents * 0.5 * (1 + cosineOf(turns: 0.5 * Double(place) / Double(length)))
    }
  }

  /// Goes on for a block; returns the cents at its end.
  @_noLocks public mutating func next(samples: Int) -> Double {
    place = min(length, place + samples)
    return cents
  }

  @_noLocks public mutating func reset() { place = length }
}
