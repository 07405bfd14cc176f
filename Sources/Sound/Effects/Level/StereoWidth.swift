import DSP

/// Narrows or widens the stereo image, and pans it.
///
/// Width scales the channels' difference and keeps their sum: 0 is mono, 1 changes nothing, 2
/// doubles the difference. Equal channels stay equal. Pan is a constant-power balance, 0 dB in the
/// centre and up to 3 dB more at the side.
///
/// - Cost: four multiplications a sample. Allocates: nothing.
public struct StereoWidth: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var width = 1.0
    public var pan = 0.0

    public static let effect = "width"
    public static let summary = "narrows or widens the stereo image, and pans it"
    public static let parameters: [Parameter<Settings>] = [
      .init("width", \.width, in: 0...2, "0 is mono, 1 unchanged, 2 twice as wide"),
      .init("pan", \.pan, in: -1...1, "-1 is left, 1 right"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(StereoWidth.self, self, rateHz) }

    /// The gains of the same and the other channel, and of the output channels.
    @_noLocks fileprivate func gains() -> (same: Float, other: Float, left: Float, right: Float) {
      let angle = (pan + 1) * .pi / 4
      let middle = RealtimeMath.root(2.0)
      // At the end the cosine differs from 0 by rounding.
      return (
        Float((1 + width) / 2), Float((1 - width) / 2),
        pan == 1 ? 0 : Float(middle * RealtimeMath.cosine(angle)),
        Float(middle * RealtimeMath.sine(angle))
      )
    }
  }

  private let glideSamples: Int
  private var same = Ramp(0)
  private var other = Ramp(0)
  private var leftGain = Ramp(0)
  private var rightGain = Ramp(0)

  public init(_ settings: Settings, sampleRateHz: Double) {
    glideSamples = Int(0.02 * sampleRateHz)
    apply(settings)
    reset()
  }

  @_noLocks public mutating func reset() {
    same.finish()
    other.finish()
    leftGain.finish()
    rightGain.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let gains = settings.gains()
    same.aim(at: gains.same, overSamples: glideSamples)
    other.aim(at: gains.other, overSamples: glideSamples)
    leftGain.aim(at: gains.left, overSamples: glideSamples)
    rightGain.aim(at: gains.right, overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let (same, other) = (same.next(), other.next())
    let mixed = same * sound + other * SIMD2(sound.y, sound.x)
    return SIMD2(leftGain.next(), rightGain.next()) * mixed
  }
}
