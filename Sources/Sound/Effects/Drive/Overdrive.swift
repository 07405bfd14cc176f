import DSP

/// Clips peaks softly, like a tube or a guitar pedal.
///
/// A band around `frequencyHz` is amplified by `driveDb` relative to the rest. The whole is shaped
/// by `x / √(1 + x²)` at eight times the sample rate. `asymmetry` adds an offset before the curve,
/// which makes even overtones; the resulting DC is removed.
///
/// - Cost: see `Oversampler` and `SoftClipper`. Allocates in `init` only.
/// - Source: the band before the clipper as in the pedals analysed by Yeh, Abel and Smith,
///   "Simplified, physically-informed models of distortion and overdrive guitar effects pedals",
///   DAFx-07, 2007; antialiasing as in `SoftClipper`.
public struct Overdrive: OversampledEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var driveDb = 18.0
    public var frequencyHz = 900.0
    public var asymmetry = 0.3
    public var levelDb = -9.0

    public static let effect = "overdrive"
    public static let summary = "clips peaks softly"
    public static let parameters: [Parameter<Settings>] = [
      .init("driveDb", \.driveDb, in: 0...40, "gain of the band before clipping"),
      .init("frequencyHz", \.frequencyHz, in: 100...8000, "centre of the amplified band"),
      .init("asymmetry", \.asymmetry, in: 0...1, "share of even overtones"),
      .init("levelDb", \.levelDb, in: -40...12, "level of the clipped peaks, re full scale"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Overdrive.self, self, rateHz) }
  }

  private static var damping: Double { @_noLocks get { 1.4 } }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var drive = Ramp(0)  // the band's additional gain
  private var tangent = Ramp(0)
  private var bias = Ramp(0)
  private var level = Ramp(0)
  private var band = TwoPole<Double>()
  private var wave: OversampledWave
  /// The output of the curve for silence.
  private var atRest = RealtimeArray<Float>(count: Oversampler.longestStretch)
  private var leftClipper = SoftClipper(longest: OversampledWave.longest)
  private var rightClipper = SoftClipper(longest: OversampledWave.longest)

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    wave = OversampledWave(sampleRateHz: sampleRateHz)
    apply(settings)
    reset()
  }

  public var tailSamples: Int { @_noLocks get { wave.tailSamples } }

  @_noLocks public mutating func reset() {
    drive.finish()
    tangent.finish()
    bias.finish()
    level.finish()
    band.reset()
    wave.reset()
    leftClipper.reset(to: bias.value)
    rightClipper.reset(to: bias.value)
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    drive.aim(at: Decibels.gain(settings.driveDb) - 1, overSamples: glideSamples)
    let tangent = cornerTangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent.aim(at: Float(tangent), overSamples: glideSamples)
    // The offset is at most where the slope of the curve is a half.
    bias.aim(at: Float(0.766 * settings.asymmetry), overSamples: glideSamples)
    level.aim(at: Decibels.gain(settings.levelDb), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func put(_ sound: SIMD2<Float>, at i: Int) {
    let (input, damping) = (sound.wide, Self.damping)
    let middle = band.next(input, tangent: Double(tangent.next()), damping: damping).band
    let driven = input + Double(drive.next()) * damping * middle
    let bias = bias.next()
    wave.put(driven.narrow, at: i, bias: bias)
    atRest[i] = SoftClipper.bent(bias)
  }

  @_noLocks public mutating func shape(_ count: Int) {
    leftClipper.pass(&wave.left, Oversampler.factor &* count)
    rightClipper.pass(&wave.right, Oversampler.factor &* count)
  }

  @inline(__always) @_noLocks public mutating func output(at i: Int) -> SIMD2<Float> {
    level.next() * wave.blocked(wave.output(at: i, offset: atRest[i]))
  }
}
