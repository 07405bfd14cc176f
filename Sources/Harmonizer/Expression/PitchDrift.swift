import DSP
import Foundation

/// The slow unsteadiness of a human pitch: a random walk that is drawn back to the middle.
///
/// Every 5 ms the drift takes a step, `x ← a x + √(1 - a²) σ ξ`, with `a = exp(-5 ms / τ)`: a
/// process of standard deviation σ whose correlation falls to 1/e after τ. Between steps it goes
/// straight. Steps fall on counted samples, so any blocks give the same drift, and one seed always
/// the same. ξ is a sum of twelve even deviates: near to normal, and never beyond 6.
///
/// - Source: Uhlenbeck and Ornstein, "On the theory of the Brownian motion", Phys. Rev. 36, 1930.
public struct PitchDrift: Sendable {
  public struct Settings: ParameterizedSettings {
    public var driftCents = 0.0
    public var correlationMs = 400.0

    public static let parameters: [Parameter<Settings>] = [
      .init(
        "driftCents", \.driftCents, in: 0...100,
        "random drift of each voice's pitch, standard deviation"),
      .init(
        "correlationMs", \.correlationMs, in: 10...60_000,
        "time after which its correlation has fallen to 1/e"),
    ]

    public init() {}
  }

  private static let stepMs = 5.0

  private let keep: Double
  private let spread: Double  // cents, of one step
  private let driftCents: Double
  private let stepSamples: Int
  private let seed: UInt64
  private var random: SeededGenerator
  private var before = 0.0  // at the last step, cents
  private var after = 0.0  // at the next
  private var place = 0  // samples since the last step

  public init(_ settings: Settings, seed: UInt64, sampleRateHz: Double) {
    keep = exp(-Self.stepMs / settings.correlationMs)
    spread = settings.driftCents * (1 - keep * keep).squareRoot()
    driftCents = settings.driftCents
    stepSamples = max(1, Int((Self.stepMs / 1000 * sampleRateHz).rounded()))
    self.seed = seed
    random = SeededGenerator(seed: seed)
    reset()
  }

  /// Away from the middle, now.
  public var cents: Double {
    @_noLocks get { before + (after - before) * Double(place) / Double(stepSamples) }
  }

  /// Goes on for a block; returns the cents at its end.
  @_noLocks public mutating func next(samples: Int) -> Double {
    place += samples
    while place >= stepSamples {
      place -= stepSamples
      before = after
      after = keep * after + spread * deviate()
    }
    return cents
  }

  /// Starts over from the seed: from a place that the drift might have, not from the middle.
  @_noLocks public mutating func reset() {
    random = SeededGenerator(seed: seed)
    before = driftCents * deviate()
    after = keep * before + spread * deviate()
    place = 0
  }

  /// Returns a random number of mean 0 and variance 1.
  @_noLocks private mutating func deviate() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += random.uniform() }
    return sum
  }
}
