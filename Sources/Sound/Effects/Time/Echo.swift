import DSP

/// Repeats the sound like a distant wall: each echo is softer and duller than the one before.
///
/// Echo `n` comes after `n` times the delay, is softer than the sound by `n` times `decayDb`, and
/// has passed the damping `n` times.
///
/// - Cost: about 20 operations a sample. Allocates: in `init` only.
public struct Echo: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var timeSeconds = 1.0
    public var decayDb = 6.0
    public var dampingHz = 5000.0

    public static let effect = "echo"
    public static let summary = "repeats the sound like a distant wall"
    public static let defaultMix = 0.5
    public static let parameters: [Parameter<Settings>] = [
      .init("timeSeconds", \.timeSeconds, in: longest, "time between echoes"),
      .init("decayDb", \.decayDb, in: 1...60, "reduction from one echo to the next"),
      .init(
        "dampingHz", \.dampingHz, in: 200...20_000,
        "frequency that loses 3 dB each time; 20000: none"),
    ]
    static let longest = 0.05...5.0

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Echo.self, self, rateHz) }
  }

  private var loop: EchoLoop

  public init(_ settings: Settings, sampleRateHz: Double) {
    loop = EchoLoop(
      Self.amounts(settings), longestSeconds: Settings.longest.upperBound,
      sampleRateHz: sampleRateHz)
  }

  public var tailSamples: Int { @_noLocks get { loop.tailSamples } }

  @_noLocks public mutating func reset() { loop.reset() }

  @_noLocks public mutating func apply(_ settings: Settings) {
    loop.apply(Self.amounts(settings))
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    loop.pass(sound).back
  }

  @_noLocks private static func amounts(_ settings: Settings) -> EchoLoop.Amounts {
    EchoLoop.Amounts(
      delaySeconds: settings.timeSeconds,
      feedback: RealtimeMath.power(10, -settings.decayDb / 20),
      dampingHz: settings.dampingHz, crossing: 0)
  }
}
