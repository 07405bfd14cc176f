import DSP

/// Repeats the sound with feedback.
///
/// Repetition `n` comes after `n` times the delay, has a gain of `feedback` to the power `n - 1`,
/// and has passed the damping `n - 1` times. Ping-pong alternates the repetitions of the mono sum
/// between left and right.
///
/// - Cost: about 20 operations a sample. Allocates: in `init` only.
public struct Delay: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var timeMs = 350.0
    public var feedback = 0.35
    public var dampingHz = 6000.0
    public var pingPong = 0.0

    public static let effect = "delay"
    public static let summary = "repeats the sound, softer and duller each time"
    public static let defaultMix = 0.3
    public static let parameters: [Parameter<Settings>] = [
      .init("timeMs", \.timeMs, in: longest, "time between repetitions"),
      .init("feedback", \.feedback, in: 0...0.95, "gain from one repetition to the next"),
      .init(
        "dampingHz", \.dampingHz, in: 200...20_000,
        "frequency that loses 3 dB each time; 20000: none"),
      .init("pingPong", \.pingPong, in: 0...1, "how far repetitions alternate between the sides"),
    ]
    static let longest = 1.0...2000.0

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Delay.self, self, rateHz) }
  }

  private var loop: EchoLoop
  private var pingPong = Ramp(0)
  private let glideSamples: Int

  public init(_ settings: Settings, sampleRateHz: Double) {
    loop = EchoLoop(
      Self.amounts(settings), longestSeconds: Settings.longest.upperBound / 1000,
      sampleRateHz: sampleRateHz)
    glideSamples = Int(0.02 * sampleRateHz)
    apply(settings)
    reset()
  }

  public var tailSamples: Int { @_noLocks get { loop.tailSamples } }

  @_noLocks public mutating func reset() {
    loop.reset()
    pingPong.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    loop.apply(Self.amounts(settings))
    pingPong.aim(at: Float(settings.pingPong), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let sideways = SIMD2((sound.x + sound.y) / 2, 0)
    return loop.pass(sound + pingPong.next() * (sideways - sound)).arriving
  }

  @_noLocks private static func amounts(_ settings: Settings) -> EchoLoop.Amounts {
    EchoLoop.Amounts(
      delaySeconds: settings.timeMs / 1000, feedback: settings.feedback,
      dampingHz: settings.dampingHz, crossing: settings.pingPong)
  }
}
