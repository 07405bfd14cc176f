import DSP

/// Modulates the level of the sound, like a guitar amplifier.
///
/// The gain varies between 1 and `1 - depth` as a raised cosine, the same in both channels.
///
/// - Cost: a few multiplications a sample. Allocates: nothing.
public struct Tremolo: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var rateHz = 5.0
    public var depth = 0.5

    public static let effect = "tremolo"
    public static let summary = "modulates the level"
    public static let parameters: [Parameter<Settings>] = [
      .init("rateHz", \.rateHz, in: 0.01...20, "cycles a second"),
      .init("depth", \.depth, in: 0...1, "largest reduction as a share of the level"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Tremolo.self, self, rateHz) }
  }

  private let glideSamples: Int
  private var oscillator: Oscillator
  private var depth = Ramp(0)

  public init(_ settings: Settings, sampleRateHz: Double) {
    glideSamples = Int(0.02 * sampleRateHz)
    oscillator = Oscillator(rateHz: settings.rateHz, startTurns: 0.75, sampleRateHz: sampleRateHz)
    apply(settings)
    reset()
  }

  @_noLocks public mutating func reset() {
    oscillator.reset()
    depth.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    oscillator.glide(toRateHz: settings.rateHz, overSamples: glideSamples)
    depth.aim(at: Float(settings.depth), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let dip = Float(0.5 + 0.5 * oscillator.sine)
    oscillator.advance()
    return (1 - depth.next() * dip) * sound
  }
}
