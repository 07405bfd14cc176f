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
public struct Compressor: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var thresholdDb = -24.0
    public var ratio = 3.0
    public var attackMs = 10.0
    public var releaseMs = 150.0
    public var kneeDb = 6.0
    public var makeUpDb = 4.0

    public static let effect = "compressor"
    public static let summary = "reduces the level of loud sound"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("thresholdDb", \.thresholdDb, in: -60...0, "peak level at which it begins"),
      .init("ratio", \.ratio, in: 1...100, "dB in for one dB more out, above the threshold"),
      .init("attackMs", \.attackMs, in: 0.1...200, "to 63 % of a step of the gain down"),
      .init("releaseMs", \.releaseMs, in: 20...2000, "to 63 % of a step of the gain up"),
      .init("kneeDb", \.kneeDb, in: 0...24, "width of the knee around the threshold"),
      .init("makeUpDb", \.makeUpDb, in: 0...24, "gain afterwards"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Compressor.self, self, sampleRateHz: sampleRateHz)
    }
  }

  /// Half a period of 50 Hz; at higher frequencies the held level is the amplitude.
  static var holdMs: Double { @_noLocks get { 10 } }

  private let glideSamples: Int
  private var makeUp: Ramp
  private var reducer: GainReducer

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    glideSamples = Int(0.02 * sampleRateHz)
    makeUp = Ramp(Float(settings.makeUpDb))
    reducer = GainReducer(
      thresholdDb: settings.thresholdDb, ratio: settings.ratio, kneeDb: settings.kneeDb,
      holdMs: Self.holdMs, sampleRateHz: sampleRateHz)
    reducer.setTimes(attackMs: settings.attackMs, releaseMs: settings.releaseMs)
  }

  public var latencySamples: Int { @_noLocks get { 0 } }
  public var tailSamples: Int { @_noLocks get { 0 } }

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

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    for i in 0..<count {
      let (l, r) = (abs(left[i]), abs(right[i]))
      let down = reducer.next(l > r ? l : r)
      let gain = Decibels.gain(Double(makeUp.next()) - down)
      left[i] *= gain
      right[i] *= gain
    }
  }
}
