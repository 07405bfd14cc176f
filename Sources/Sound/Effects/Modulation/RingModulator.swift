import DSP

/// Multiplies the sound by a tone, which splits each frequency into its sum and difference with it.
///
/// The tone starts at a zero and is the same in both channels. Sums above half the sample rate
/// alias; a voice has little energy there.
///
/// - Cost: a sine a sample. Allocates: nothing.
/// - Source: Bode, "The multiplier-type ring modulator", Electronic Music Review 1, 1967.
public struct RingModulator: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var frequencyHz = 60.0

    public static let effect = "ringmod"
    public static let summary = "multiplies the sound by a tone: a robot voice"
    public static let parameters: [Parameter<Settings>] = [
      .init("frequencyHz", \.frequencyHz, in: 0.1...5000, "frequency of the tone")
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect {
      .of(RingModulator.self, self, rateHz)
    }
  }

  private let glideSamples: Int
  private var tone: Oscillator

  public init(_ settings: Settings, sampleRateHz: Double) {
    glideSamples = Int(0.02 * sampleRateHz)
    tone = Oscillator(rateHz: settings.frequencyHz, sampleRateHz: sampleRateHz)
  }

  @_noLocks public mutating func reset() { tone.reset() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    tone.glide(toRateHz: settings.frequencyHz, overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let carrier = Float(tone.sine)
    tone.advance()
    return carrier * sound
  }
}
