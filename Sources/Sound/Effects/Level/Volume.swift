import DSP

/// A fader with smoothed changes.
///
/// - Cost: a multiplication a sample. Allocates: nothing.
public struct Volume: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var levelDb = 0.0
    public var mute = false
    public var smoothingMs = 20.0

    public static let effect = "volume"
    public static let summary = "sets the level"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("levelDb", \.levelDb, in: -96...24, "gain"),
      .init("mute", \.mute, "silence"),
      .init("smoothingMs", \.smoothingMs, in: 10...5000, "time a change takes"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Volume.self, self, sampleRateHz: sampleRateHz)
    }

    @_noLocks fileprivate func gain() -> Float {
      mute ? 0 : Float(RealtimeMath.power(10, levelDb / 20))
    }
  }

  private let sampleRateHz: Double
  private var gain: Ramp

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    self.sampleRateHz = sampleRateHz
    gain = Ramp(settings.gain())
  }

  public var latencySamples: Int { @_noLocks get { 0 } }
  public var tailSamples: Int { @_noLocks get { 0 } }

  @_noLocks public mutating func reset() { gain.finish() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let samples = Int(settings.smoothingMs / 1000 * sampleRateHz)
    gain.aim(at: settings.gain(), overSamples: samples)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    for i in 0..<count {
      let gain = gain.next()
      left[i] *= gain
      right[i] *= gain
    }
  }
}
