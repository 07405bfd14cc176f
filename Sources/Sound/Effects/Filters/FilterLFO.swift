import DSP

/// A filter swept by an LFO, like a wah pedal.
///
/// Its frequency moves from `lowHz` to `highHz` and back, as a raised cosine or triangle in
/// octaves, starting at `lowHz`; both channels are the same.
///
/// - Cost: one `StateVariableFilter`, a sine, an exponential and a tangent a sample.
///   Allocates: nothing.
public struct FilterLFO: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var rateHz = 1.5
    public var lowHz = 400.0
    public var highHz = 2200.0
    public var resonance = 4.0
    public var response = "bandpass"
    public var shape = "sine"

    public static let effect = "filterlfo"
    public static let summary = "a wah: a filter swept by an LFO"
    public static let parameters: [Parameter<Settings>] = [
      .init("rateHz", \.rateHz, in: 0.01...20, "cycles a second"),
      .init("lowHz", \.lowHz, in: 20...20_000, "one end of the sweep, where it starts"),
      .init("highHz", \.highHz, in: 20...20_000, "the other end of the sweep"),
      .init(
        "resonance", \.resonance, in: 0.5...25,
        "centre over bandwidth; for the low-pass, the gain at its cut-off"),
      .init("response", \.response, of: ["bandpass", "lowpass"], "the filter's type"),
      .init("shape", \.shape, of: ["sine", "triangle"], "the sweep's waveform"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(FilterLFO.self, self, rateHz) }

    // Strings this short are stored inline: comparing them neither counts references nor allocates.
    @_semantics("no_performance_analysis")
    fileprivate func lowpassShare() -> Float { response == "lowpass" ? 1 : 0 }

    @_semantics("no_performance_analysis")
    fileprivate func triangleShare() -> Float { shape == "triangle" ? 1 : 0 }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var oscillator: Oscillator
  private var filter: StateVariableFilter
  private var lowOctave = Ramp(0)
  private var highOctave = Ramp(0)
  private var resonanceOctave = Ramp(0)
  private var k: Double
  /// The shares of the low-pass in the response and of the triangle in the waveform.
  private var lowpassShare = Ramp(0)
  private var triangleShare = Ramp(0)
  /// The filters at both ends of the sweep, between which it rings less than at the worse one.
  private var lowEnd: FilterDesign
  private var highEnd: FilterDesign

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.05 * sampleRateHz)
    oscillator = Oscillator(rateHz: settings.rateHz, startTurns: 0.75, sampleRateHz: sampleRateHz)
    lowEnd = Self.design(settings.lowHz, settings, sampleRateHz)
    highEnd = Self.design(settings.highHz, settings, sampleRateHz)
    filter = StateVariableFilter(lowEnd)
    k = lowEnd.k
    apply(settings)
    reset()
  }

  public var tailSamples: Int { @_noLocks get { max(lowEnd.tailSamples, highEnd.tailSamples) } }

  @_noLocks public mutating func reset() {
    oscillator.reset()
    filter.reset()
    lowOctave.finish()
    highOctave.finish()
    resonanceOctave.finish()
    k = lowEnd.k
    lowpassShare.finish()
    triangleShare.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    lowEnd = Self.design(settings.lowHz, settings, sampleRateHz)
    highEnd = Self.design(settings.highHz, settings, sampleRateHz)
    oscillator.glide(toRateHz: settings.rateHz, overSamples: glideSamples)
    lowOctave.aim(at: Float(RealtimeMath.log2(settings.lowHz)), overSamples: glideSamples)
    highOctave.aim(at: Float(RealtimeMath.log2(settings.highHz)), overSamples: glideSamples)
    resonanceOctave.aim(at: Float(RealtimeMath.log2(settings.resonance)), overSamples: glideSamples)
    lowpassShare.aim(at: settings.lowpassShare(), overSamples: glideSamples)
    triangleShare.aim(at: settings.triangleShare(), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    filter.jump(to: nextDesign())
    return filter.next(sound.wide).flushed.narrow
  }

  @inline(__always) @_noLocks private mutating func nextDesign() -> FilterDesign {
    let (sine, bend) = (oscillator.sine, Double(triangleShare.next()))
    let way = 0.5 + 0.5 * (sine + bend * (oscillator.triangle - sine))
    oscillator.advance()
    let (low, high) = (Double(lowOctave.next()), Double(highOctave.next()))
    let frequencyHz = RealtimeMath.exp2(low + way * (high - low))
    if resonanceOctave.isMoving { k = RealtimeMath.exp2(-Double(resonanceOctave.next())) }
    let lowpass = Double(lowpassShare.next())
    return FilterDesign(
      g: FilterDesign.g(frequencyHz, sampleRateHz), k: k,
      input: 0, band: k * (1 - lowpass), low: lowpass)
  }

  /// The filter at a frequency of the sweep.
  @_noLocks private static func design(
    _ hz: Double, _ settings: Settings, _ sampleRateHz: Double
  ) -> FilterDesign {
    .lowPass(hz, q: settings.resonance, sampleRateHz: sampleRateHz)
  }
}
