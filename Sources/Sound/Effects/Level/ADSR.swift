import DSP

/// Shapes the level of each note: attack, decay, sustain, release.
///
/// A note starts by a key (`pressed`) or by level: at the first sample of at least `thresholdDb`.
/// It ends when no sample has come within 6 dB of that for 25 ms, a period of 40 Hz. The louder
/// channel counts.
///
/// - Cost: a few operations a sample. Allocates: nothing.
public struct ADSR: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var attackMs = 10.0
    public var decayMs = 300.0
    public var sustain = 0.7
    public var releaseMs = 300.0
    public var trigger = "level"
    public var thresholdDb = -40.0
    public var pressed = false

    public static let effect = "adsr"
    public static let summary = "shapes the level of each note"
    public static let parameters: [Parameter<Settings>] = [
      .init("attackMs", \.attackMs, in: 1...10_000, "from silence to full level"),
      .init(
        "decayMs", \.decayMs, in: 1...10_000,
        "until the distance to the sustain level falls by 60 dB"),
      .init("sustain", \.sustain, in: 0...1, "gain while the note lasts"),
      .init("releaseMs", \.releaseMs, in: 1...10_000, "until it has fallen by 60 dB"),
      .init("trigger", \.trigger, of: ["level", "key"], "what begins and ends a note"),
      .init("thresholdDb", \.thresholdDb, in: -90...0, "level that begins a note, re full scale"),
      .init("pressed", \.pressed, "true while the key is down"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(ADSR.self, self, rateHz) }

    // Strings this short are stored inline: comparing them neither counts references nor allocates.
    @_semantics("no_performance_analysis")
    fileprivate func followsLevel() -> Bool { trigger == "level" }
  }

  private let sampleRateHz: Double
  private let holdSamples: Int
  private var envelope = EnvelopeGenerator()
  private var followsLevel = true
  private var isKeyDown = false
  private var threshold: Float = 0
  /// The number of samples since one was loud enough to hold the note.
  private var quietSamples = 0

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    holdSamples = Int(0.025 * sampleRateHz)
    set(settings)
    reset()
  }

  @_noLocks public mutating func reset() {
    envelope.reset()
    quietSamples = 0
    if isKeyDown { envelope.press() }
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let (wasFollowing, wasDown) = (followsLevel, isKeyDown)
    set(settings)
    guard !followsLevel else { return }
    if isKeyDown, !wasDown { envelope.press() }
    if !isKeyDown, wasDown || wasFollowing { envelope.release() }
  }

  @_noLocks private mutating func set(_ settings: Settings) {
    envelope.set(
      attackMs: settings.attackMs, decayMs: settings.decayMs, sustain: settings.sustain,
      releaseMs: settings.releaseMs, sampleRateHz: sampleRateHz)
    followsLevel = settings.followsLevel()
    isKeyDown = followsLevel ? false : settings.pressed
    threshold = Float(RealtimeMath.power(10, settings.thresholdDb / 20))
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    if followsLevel { follow(sound.peak) }
    return Float(envelope.next()) * sound
  }

  @inline(__always) @_noLocks private mutating func follow(_ level: Float) {
    guard envelope.isPressed else {
      if level >= threshold {
        quietSamples = 0
        envelope.press()
      }
      return
    }
    quietSamples = 2 * level >= threshold ? 0 : quietSamples + 1
    if quietSamples > holdSamples { envelope.release() }
  }
}
