import DSP

/// Multiplies the sound by a tone, which splits each frequency into its sum and difference with it.
///
/// The tone starts at a zero and is the same in both channels. Sums above half the sample rate
/// alias; a voice has little energy there.
///
/// - Cost: a sine a sample. Allocates: nothing.
/// - Source: Bode, "The multiplier-type ring modulator", Electronic Music Review 1, 1967.
public struct RingModulator: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var frequencyHz = 60.0

    public static let effect = "ringmod"
    public static let summary = "multiplies the sound by a tone: a robot voice"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("frequencyHz", \.frequencyHz, in: 0.1...5000, "frequency of the tone")
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(RingModulator.self, self, sampleRateHz: sampleRateHz)
    }
  }

  private let glideSamples: Int
  private var tone: Oscillator

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    glideSamples = Int(0.02 * sampleRateHz)
    tone = Oscillator(rateHz: settings.frequencyHz, sampleRateHz: sampleRateHz)
  }

  public var latencySamples: Int { @_noLocks get { 0 } }
  public var tailSamples: Int { @_noLocks get { 0 } }

  @_noLocks public mutating func reset() { tone.reset() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    tone.glide(toRateHz: settings.frequencyHz, overSamples: glideSamples)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    var tone = tone
    for i in 0..<count {
      let carrier = Float(tone.sine)
      tone.advance()
      left[i] *= carrier
      right[i] *= carrier
    }
    self.tone = tone
  }
}
