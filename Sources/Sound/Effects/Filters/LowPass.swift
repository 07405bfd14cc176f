import DSP

/// Removes frequencies above a cut-off, by 12 dB an octave, with adjustable resonance.
///
/// `resonance` is the gain at the cut-off: 0.707 is flat below it (Butterworth), 25 rings.
///
/// - Cost: one `StateVariableFilter`. Allocates: nothing.
public struct LowPass: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var cutoffHz = 2000.0
    public var resonance = 0.707

    public static let effect = "lowpass"
    public static let summary = "removes frequencies above a cut-off"
    public static let parameters: [Parameter<Settings>] = [
      .init("cutoffHz", \.cutoffHz, in: 20...20_000, "cut-off; limited to 0.49 of the sample rate"),
      .init("resonance", \.resonance, in: 0.5...25, "gain at the cut-off; 0.707 is flat"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(LowPass.self, self, rateHz) }

    @_noLocks fileprivate func design(_ sampleRateHz: Double) -> FilterDesign {
      .lowPass(cutoffHz, q: resonance, sampleRateHz: sampleRateHz)
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var filter: StateVariableFilter

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.05 * sampleRateHz)
    filter = StateVariableFilter(settings.design(sampleRateHz))
  }

  public var tailSamples: Int { @_noLocks get { filter.tailSamples } }

  @_noLocks public mutating func reset() { filter.reset() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    filter.glide(to: settings.design(sampleRateHz), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    filter.next(sound.wide).flushed.narrow
  }
}
