import DSP

/// Mutes quiet passages, in both channels together.
///
/// The gate opens when the peak of either channel reaches `thresholdDb` and closes after it has
/// stayed below `thresholdDb - hysteresisDb` for `holdMs`, so that a level around the threshold
/// doesn't toggle it. The gain moves exponentially.
///
/// - Cost: a few comparisons a sample. Allocates in `init` only.
/// - Source: the noise gate of Zölzer (ed.), "DAFX: Digital Audio Effects", 2nd ed., 2011.
public struct Gate: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var thresholdDb = -45.0
    public var hysteresisDb = 6.0
    public var attackMs = 1.0
    public var holdMs = 60.0
    public var releaseMs = 80.0
    public var rangeDb = 60.0

    public static let effect = "gate"
    public static let summary = "mutes quiet passages"
    public static let parameters: [Parameter<Settings>] = [
      .init("thresholdDb", \.thresholdDb, in: -90...0, "peak level at which it opens"),
      .init("hysteresisDb", \.hysteresisDb, in: 0...24, "distance below that at which it closes"),
      .init("attackMs", \.attackMs, in: 0.1...100, "to 63 % of opening"),
      .init("holdMs", \.holdMs, in: 10...2000, "how long it stays open after the last loud peak"),
      .init("releaseMs", \.releaseMs, in: 5...2000, "to 63 % of closing"),
      .init("rangeDb", \.rangeDb, in: 0...100, "reduction while closed"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Gate.self, self, rateHz) }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var opensAt: Float = 0
  private var closesBelow: Float = 0
  private var holdSamples = 0
  private var closed = Ramp(0)  // the gain
  private var isOpen = false
  private var quietSamples = 0
  private var gain = Ballistics(attackSamples: 0, releaseSamples: 0)

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    apply(settings)
    reset()
  }

  @_noLocks public mutating func reset() {
    closed.finish()
    gain.reset(to: Double(closed.value))
    (isOpen, quietSamples) = (false, 0)
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    closed.aim(at: Decibels.gain(-settings.rangeDb), overSamples: glideSamples)
    let perMs = sampleRateHz / 1000
    opensAt = Decibels.gain(settings.thresholdDb)
    closesBelow = Decibels.gain(settings.thresholdDb - settings.hysteresisDb)
    holdSamples = Int(settings.holdMs * perMs)
    gain.setTimes(
      attackSamples: settings.attackMs * perMs, releaseSamples: settings.releaseMs * perMs)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let peak = sound.peak
    if peak >= opensAt { isOpen = true }
    quietSamples = peak >= closesBelow ? 0 : quietSamples &+ 1
    if quietSamples > holdSamples { isOpen = false }
    let floor = Double(closed.next())
    return Float(gain.follow(isOpen ? 1 : floor)) * sound
  }
}
