import DSP

/// Reduces the level of loud sound, equally in both channels.
///
/// It is feed-forward: the larger of both channels, held for `holdMs` so that the gain doesn't
/// ripple with a low voice, passes the static curve in dB; the resulting reduction is smoothed in
/// dB.
///
/// - Cost: one power of 2 a sample, a logarithm when the held level changes. Allocates in `init`
///   only.
/// - Source: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design – a tutorial
///   and analysis", J. Audio Eng. Soc. 60(6), 2012: log-domain level detection, smooth branching.
public struct Compressor: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var thresholdDb = -24.0
    public var ratio = 3.0
    public var attackMs = 10.0
    public var releaseMs = 150.0
    public var kneeDb = 6.0
    public var makeUpDb = 4.0

    public static let effect = "compressor"
    public static let summary = "reduces the level of loud sound"
    public static let parameters: [Parameter<Settings>] = [
      .init("thresholdDb", \.thresholdDb, in: -60...0, "peak level at which it begins"),
      .init("ratio", \.ratio, in: 1...100, "dB in for one dB more out, above the threshold"),
      .init("attackMs", \.attackMs, in: 0.1...200, "to 63 % of a step of the gain down"),
      .init("releaseMs", \.releaseMs, in: 20...2000, "to 63 % of a step of the gain up"),
      .init("kneeDb", \.kneeDb, in: 0...24, "width of the knee around the threshold"),
      .init("makeUpDb", \.makeUpDb, in: 0...24, "gain afterwards"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Compressor.self, self, rateHz) }
  }

  /// Half a period of 50 Hz; at higher frequencies the held level is the amplitude.
  static var holdMs: Double { @_noLocks get { 10 } }

  private let glideSamples: Int
  private var makeUp = Ramp(0)
  private var reducer: GainReducer

  public init(_ settings: Settings, sampleRateHz: Double) {
    glideSamples = Int(0.02 * sampleRateHz)
    reducer = GainReducer(holdMs: Self.holdMs, sampleRateHz: sampleRateHz)
    apply(settings)
    reset()
  }

  @_noLocks public mutating func reset() {
    makeUp.finish()
    reducer.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    makeUp.aim(at: Float(settings.makeUpDb), overSamples: glideSamples)
    reducer.aim(
      thresholdDb: settings.thresholdDb, ratio: settings.ratio, kneeDb: settings.kneeDb,
      overSamples: glideSamples)
    reducer.setTimes(attackMs: settings.attackMs, releaseMs: settings.releaseMs)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let down = reducer.next(sound.peak)
    return Decibels.gain(Double(makeUp.next()) - down) * sound
  }
}
