import DSP

/// Keeps peaks below a ceiling, also between samples.
///
/// It is two passes of `PeakGuard`, with the same gain in both channels. Sound below the ceiling is
/// only delayed.
///
/// - Cost: see `PeakGuard`. Allocates in `init` only.
/// - Source: look-ahead limiting as in Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd ed., 2011;
///   true peaks: ITU-R BS.1770-4, Annex 2.
public struct Limiter: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var gainDb = 0.0
    public var ceilingDb = -1.0
    public var releaseMs = 100.0

    public static let effect = "limiter"
    public static let summary = "keeps peaks below a ceiling"
    public static let parameters: [Parameter<Settings>] = [
      .init("gainDb", \.gainDb, in: 0...24, "gain before limiting"),
      .init("ceilingDb", \.ceilingDb, in: -24...0, "highest true peak, re full scale"),
      .init("releaseMs", \.releaseMs, in: 10...1000, "to 63 % of a step of the gain up"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Limiter.self, self, rateHz) }
  }

  /// The look-ahead of the first and the second pass.
  static var lookAheadMs: (Double, Double) { @_noLocks get { (1.5, 0.5) } }
  /// The distance below the ceiling at which both passes aim. It covers what they leave, and the
  /// difference of an ideal meter from the standard's.
  private static var marginDb: Double { @_noLocks get { 0.25 } }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var gain = Ramp(0)
  private var ceiling = Ramp(0)
  private var first: PeakGuard
  private var second: PeakGuard

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    first = PeakGuard(lookAheadSamples: Int(Self.lookAheadMs.0 / 1000 * sampleRateHz))
    second = PeakGuard(lookAheadSamples: Int(Self.lookAheadMs.1 / 1000 * sampleRateHz))
    apply(settings)
    reset()
  }

  public var latencySamples: Int { @_noLocks get { first.latencySamples + second.latencySamples } }

  @_noLocks public mutating func reset() {
    gain.finish()
    ceiling.finish()
    first.reset()
    second.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    gain.aim(at: Decibels.gain(settings.gainDb), overSamples: glideSamples)
    ceiling.aim(at: Decibels.gain(settings.ceilingDb - Self.marginDb), overSamples: glideSamples)
    let samples = settings.releaseMs / 1000 * sampleRateHz
    first.setRelease(samples: samples)
    second.setRelease(samples: samples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let (gain, ceiling) = (gain.next(), ceiling.next())
    return second.next(first.next((gain * sound).flushed, ceiling: ceiling), ceiling: ceiling)
  }
}
