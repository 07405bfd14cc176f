import DSP

/// Reduces word length and sample rate, like an early sampler.
///
/// It rounds to `2^bits` levels over ±1, including 0, and holds each value for a period of
/// `rateHz`; at or above the stream's rate nothing is held. It aliases by design.
///
/// - Cost: a few operations a sample. Allocates: nothing.
/// - Source: Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd ed., 2011; a mid-tread quantizer.
public struct Bitcrush: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var bits = 8.0
    public var rateHz = 11_025.0

    public static let effect = "bitcrush"
    public static let summary = "reduces word length and sample rate"
    public static let parameters: [Parameter<Settings>] = [
      .init("bits", \.bits, in: 1...24, "word length; may be fractional"),
      .init("rateHz", \.rateHz, in: 100...192_000, "rate of samples"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Bitcrush.self, self, rateHz) }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var bits: Ramp
  private var usedBits: Float
  private var levels: Double  // levels between 0 and 1
  private var turnsPerSample: Double
  private var turns = 1.0  // phase of the rate in cycles; a sample is due at 1
  private var held = SIMD2<Float>.zero

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    bits = Ramp(Float(settings.bits))
    usedBits = bits.value
    levels = RealtimeMath.exp2(settings.bits - 1)
    turnsPerSample = min(settings.rateHz / sampleRateHz, 1)
  }

  /// A period of the rate, for which a value is held.
  public var tailSamples: Int { @_noLocks get { Int(1 / turnsPerSample) + 1 } }

  @_noLocks public mutating func reset() {
    bits.finish()
    turns = 1
    held = .zero
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    bits.aim(at: Float(settings.bits), overSamples: glideSamples)
    turnsPerSample = min(settings.rateHz / sampleRateHz, 1)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let wordLength = bits.next()
    if wordLength != usedBits {
      usedBits = wordLength
      levels = RealtimeMath.exp2(Double(wordLength) - 1)
    }
    if turns >= 1 {
      turns -= 1
      held = SIMD2(rounded(sound.x), rounded(sound.y))
    }
    turns += turnsPerSample
    return held
  }

  /// The sample rounded to the nearest level.
  @inline(__always) @_noLocks private func rounded(_ sample: Float) -> Float {
    let place = Double(sample) * levels
    return Float(Double(Int(place + (place < 0 ? -0.5 : 0.5))) / levels)
  }
}
