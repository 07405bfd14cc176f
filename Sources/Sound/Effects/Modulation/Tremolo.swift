import DSP

/// Modulates the level of the sound, like a guitar amplifier.
///
/// The gain varies between 1 and `1 - depth` as a raised cosine, the same in both channels.
///
/// - Cost: a few multiplications a sample. Allocates: nothing.
public struct Tremolo: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var rateHz = 5.0
    public var depth = 0.5

    public static let effect = "tremolo"
    public static let summary = "modulates the level"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("rateHz", \.rateHz, in: 0.01...20, "cycles a second"),
      .init("depth", \.depth, in: 0...1, "largest reduction as a share of the level"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Tremolo.self, self, sampleRateHz: sampleRateHz)
    }
  }

  private let glideSamples: Int
  private var oscillator: Oscillator
  private var depth: Ramp

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    glideSamples = Int(0.02 * sampleRateHz)
    oscillator = Oscillator(
      rateHz: settings.rateHz, startTurns: 0.75, sampleRateHz: sampleRateHz)
    depth = Ramp(Float(settings.depth))
  }

  public var latencySamples: Int { @_noLocks get { 0 } }
  public var tailSamples: Int { @_noLocks get { 0 } }

  @_noLocks public mutating func reset() {
    oscillator.reset()
    depth.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    oscillator.glide(toRateHz: settings.rateHz, overSamples: glideSamples)
    depth.aim(at: Float(settings.depth), overSamples: glideSamples)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    var (oscillator, depth) = (oscillator, depth)
    for i in 0..<count {
      let dip = Float(0.5 + 0.5 * oscillator.sine)
      oscillator.advance()
      let gain = 1 - depth.next() * dip
      left[i] *= gain
      right[i] *= gain
    }
    (self.oscillator, self.depth) = (oscillator, depth)
  }
}
