import DSP

/// A fader with smoothed changes.
///
/// - Cost: a multiplication a sample. Allocates: nothing.
public struct Volume: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var levelDb = 0.0
    public var mute = false
    public var smoothingMs = 20.0

    public static let effect = "volume"
    public static let summary = "sets the level"
    public static let parameters: [Parameter<Settings>] = [
      .init("levelDb", \.levelDb, in: -96...24, "gain"),
      .init("mute", \.mute, "silence"),
      .init("smoothingMs", \.smoothingMs, in: 10...5000, "time a change takes"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Volume.self, self, rateHz) }

    @_noLocks fileprivate func gain() -> Float {
      mute ? 0 : Float(RealtimeMath.power(10, levelDb / 20))
    }
  }

  private let sampleRateHz: Double
  private var gain = Ramp(0)

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    apply(settings)
    reset()
  }

  @_noLocks public mutating func reset() { gain.finish() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let samples = Int(settings.smoothingMs / 1000 * sampleRateHz)
    gain.aim(at: settings.gain(), overSamples: samples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    gain.next() * sound
  }
}
