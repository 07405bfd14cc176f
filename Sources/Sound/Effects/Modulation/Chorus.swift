import DSP

/// Makes one voice sound like several, with a copy of modulated delay and pitch.
///
/// The copy's delay is `d(t) = delay (1 + depth sin(2 pi rate t))`, with feedback. The modulations
/// of left and right differ by half a cycle at `spread` 1. With a short delay and high feedback it
/// is a flanger; all wet, a slow vibrato. The wet sound is the copy only, so it states no latency.
///
/// - Cost: two sines and two interpolations a sample. Allocates: in `init` only.
/// - Source: Dattorro, "Effect design, part 2", J. Audio Eng. Soc. 45, 1997.
public struct Chorus: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var rateHz = 0.6
    public var delayMs = 12.0
    public var depth = 0.2
    public var feedback = 0.0
    public var spread = 0.5

    public static let effect = "chorus"
    public static let summary = "makes one voice sound like several"
    public static let defaultMix = 0.5
    public static let parameters: [Parameter<Settings>] = [
      .init("rateHz", \.rateHz, in: 0.05...5, "cycles a second"),
      .init("delayMs", \.delayMs, in: delays, "mean delay of the copy"),
      .init("depth", \.depth, in: 0...1, "swing as a share of the delay"),
      .init("feedback", \.feedback, in: -0.9...0.9, "share of the copy that is fed back"),
      .init("spread", \.spread, in: 0...1, "phase difference of left and right; 1: half a cycle"),
    ]
    static let delays = 1.0...30.0

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Chorus.self, self, rateHz) }
  }

  private let sampleRateHz: Double
  private var line: StereoLine
  private let interpolator = Interpolator()
  private var turns = 0.0  // phase of the left channel in cycles, 0..<1
  private var turnsPerSample: Glide
  private var centre: Glide  // samples
  private var swing: Glide  // samples
  private var turnsApart: Glide
  private var feedback: Ramp
  private var settings: Settings

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    self.settings = settings
    let longest = 2 * Int(Settings.delays.upperBound / 1000 * sampleRateHz) + 8
    line = StereoLine(longest: longest)
    let timeConstant = 0.03 * sampleRateHz
    turnsPerSample = Glide(settings.rateHz / sampleRateHz, timeConstantSamples: timeConstant)
    let delay = Self.delay(settings, sampleRateHz)
    centre = Glide(delay.centre, timeConstantSamples: timeConstant)
    swing = Glide(delay.swing, timeConstantSamples: timeConstant)
    turnsApart = Glide(settings.spread / 2, timeConstantSamples: timeConstant)
    feedback = Ramp(Float(settings.feedback))
  }

  /// The time until the feedback has decayed by 60 dB, at the longest delay.
  public var tailSamples: Int {
    @_noLocks get {
      let (centre, swing) = Self.delay(settings, sampleRateHz)
      let rounds = EchoLoop.roundsUntilSilent(abs(settings.feedback))
      return Int(rounds * (centre + swing + Double(Interpolator.reach.older))) + 1
    }
  }

  @_noLocks public mutating func reset() {
    line.reset()
    turns = 0
    turnsPerSample.finish()
    centre.finish()
    swing.finish()
    turnsApart.finish()
    feedback.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    self.settings = settings
    turnsPerSample.aim(at: settings.rateHz / sampleRateHz)
    let delay = Self.delay(settings, sampleRateHz)
    centre.aim(at: delay.centre)
    swing.aim(at: delay.swing)
    turnsApart.aim(at: settings.spread / 2)
    feedback.aim(at: Float(settings.feedback), overSamples: Int(0.02 * sampleRateHz))
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    // Reading comes before the push, when the newest sample is one sample old.
    let (centre, swing) = (centre.next() - 1, swing.next())
    let later = turns + turnsApart.next()
    let copy = SIMD2(
      interpolator.read(line.left, at: centre + swing * RealtimeMath.sine(2 * .pi * turns)),
      interpolator.read(line.right, at: centre + swing * RealtimeMath.sine(2 * .pi * later)))
    line.push((sound + feedback.next() * copy).flushed)
    turns += turnsPerSample.next()
    if turns >= 1 { turns -= 1 }
    return copy
  }

  /// The delay and its swing in samples; the swing leaves the room that the interpolation needs.
  @_noLocks private static func delay(
    _ settings: Settings, _ sampleRateHz: Double
  ) -> (centre: Double, swing: Double) {
    let nearest = Double(Interpolator.reach.newer + 1)
    let centre = max(settings.delayMs / 1000 * sampleRateHz, nearest)
    return (centre, min(settings.depth * centre, centre - nearest))
  }
}
