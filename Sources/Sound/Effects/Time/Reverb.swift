import DSP

/// A reverberant room, from a booth to a cathedral.
///
/// Sound passes the band-pass and the pre-delay. Then follow the early reflections
/// (`EarlyReflections`) and, through a diffuser, the feedback delay network (`ReverbNetwork`). At
/// mid frequencies it decays by 60 dB in `decaySeconds`, at low and high ones faster or slower;
/// `decaySeconds(atHz:)` gives the time at any frequency. The wet level doesn't depend on the
/// decay.
///
/// - Cost: about 500 operations a sample. Allocates: in `init` only.
public struct Reverb: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var decaySeconds = 1.8
    public var lowDecay = 1.1
    public var lowCrossoverHz = 250.0
    public var highDecay = 0.5
    public var highCrossoverHz = 4000.0
    public var preDelayMs = 10.0
    public var roomMetres = 21.0
    public var earlyShare = 0.25
    public var modulationHz = 0.1
    public var lowCutHz = 80.0
    public var highCutHz = 10_000.0

    public static let effect = "reverb"
    public static let summary = "a reverberant room"
    public static let defaultMix = 0.3
    public static let parameters: [Parameter<Settings>] = [
      .init(
        "decaySeconds", \.decaySeconds, in: 0.1...20, "time until the sound has decayed by 60 dB"),
      .init("lowDecay", \.lowDecay, in: 0.25...2, "decay time of lows relative to mids"),
      .init("lowCrossoverHz", \.lowCrossoverHz, in: 50...1000, "upper limit of lows"),
      .init("highDecay", \.highDecay, in: 0.1...2, "damping: decay time of highs relative to mids"),
      .init("highCrossoverHz", \.highCrossoverHz, in: 1000...16_000, "lower limit of highs"),
      .init(
        "preDelayMs", \.preDelayMs, in: preDelays,
        "delay before the room; its first reflection comes 0.2 ms a metre later"),
      .init("roomMetres", \.roomMetres, in: rooms, "mean distance between walls"),
      .init("earlyShare", \.earlyShare, in: 0...1, "share of the energy in early reflections"),
      .init("modulationHz", \.modulationHz, in: 0...2, "rate at which resonances move; 0: fixed"),
      .init("lowCutHz", \.lowCutHz, in: 10...1000, "high-pass before the room"),
      .init("highCutHz", \.highCutHz, in: 1000...20_000, "low-pass before the room"),
    ]
    static let preDelays = 0.0...250.0
    static let rooms = 3.0...40.0

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Reverb.self, self, rateHz) }

    /// The decay time at a frequency. Its inverse, dB a second, changes smoothly from low to high
    /// frequencies.
    public func decaySeconds(atHz hz: Double) -> Double {
      let (low, high) = (hz / lowCrossoverHz, hz / highCrossoverHz)
      let lowShare = 1 / (1 + low * low)
      let highShare = high * high / (1 + high * high)
      let speed = 1 + lowShare * (1 / lowDecay - 1) + highShare * (1 / highDecay - 1)
      return decaySeconds / speed
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var cut: BandCut
  private var line: StereoLine
  private var preDelay: FadingTap
  private var early: EarlyReflections
  private var late: Ramp  // level of the network
  private var diffuser: Diffuser
  private var network: ReverbNetwork
  private var settings: Settings

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    self.settings = settings
    glideSamples = Int(0.05 * sampleRateHz)
    cut = BandCut(lowHz: settings.lowCutHz, highHz: settings.highCutHz, sampleRateHz: sampleRateHz)
    line = StereoLine(longest: Int(Settings.preDelays.upperBound / 1000 * sampleRateHz) + 1)
    preDelay = FadingTap(Self.preDelay(settings, sampleRateHz), fadeSamples: glideSamples)
    early = EarlyReflections(settings, sampleRateHz: sampleRateHz)
    late = Ramp(Self.lateLevel(settings))
    diffuser = Diffuser(sampleRateHz: sampleRateHz)
    network = ReverbNetwork(settings, sampleRateHz: sampleRateHz)
  }

  /// The longest decay of any frequency, after all delays: the pre-delay, a line, the diffuser, and
  /// the ringing of the low cut.
  public var tailSamples: Int {
    @_noLocks get {
      let slowest = max(1, max(settings.lowDecay, settings.highDecay)) * settings.decaySeconds
      let ringing = 1.6 / settings.lowCutHz
      return Int((slowest + ringing + 0.1) * sampleRateHz)
        + Self.preDelay(settings, sampleRateHz) + network.longestSamples
    }
  }

  @_noLocks public mutating func reset() {
    cut.reset()
    line.reset()
    preDelay.finish()
    early.reset()
    late.finish()
    diffuser.reset()
    network.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    self.settings = settings
    cut.aim(lowHz: settings.lowCutHz, highHz: settings.highCutHz, overSamples: glideSamples)
    preDelay.aim(at: Self.preDelay(settings, sampleRateHz))
    early.apply(settings)
    late.aim(at: Self.lateLevel(settings), overSamples: glideSamples)
    network.apply(settings)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    line.push(cut.next(sound).flushed)
    let arriving = preDelay.read(line)
    preDelay.advance()
    return early.next(arriving) + late.next() * network.next(diffuser.next(arriving))
  }

  /// The level that gives the energy left by the early reflections.
  @_noLocks private static func lateLevel(_ settings: Settings) -> Float {
    Float(RealtimeMath.root(1 - settings.earlyShare))
  }

  @_noLocks private static func preDelay(_ settings: Settings, _ sampleRateHz: Double) -> Int {
    Int(settings.preDelayMs / 1000 * sampleRateHz + 0.5)
  }
}
