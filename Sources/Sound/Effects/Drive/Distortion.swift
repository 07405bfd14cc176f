import DSP

/// Clips peaks hard, like an overdriven transistor stage.
///
/// The sound is amplified by `driveDb` and clipped at ±1, at eight times the sample rate. There it
/// is linear between samples; the clipped line, averaged with a triangle two samples wide, is
/// sampled again, which attenuates aliasing overtones by the square of the sinc. Then follows a
/// first-order low-pass.
///
/// - Cost: see `Oversampler`; the clipper 20 operations a sample at eight times the rate, eight at
///   once. Allocates in `init` only.
/// - Source: Bilbao, Esqueda, Parker and Välimäki, "Antiderivative antialiasing for memoryless
///   nonlinearities", IEEE Signal Processing Letters 24(7), 2017, of second order, here in a closed
///   form without differences of nearly equal numbers.
public struct Distortion: OversampledEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var driveDb = 30.0
    public var toneHz = 5000.0
    public var levelDb = -12.0

    public static let effect = "distortion"
    public static let summary = "clips peaks hard"
    public static let parameters: [Parameter<Settings>] = [
      .init("driveDb", \.driveDb, in: 0...60, "gain before clipping"),
      .init("toneHz", \.toneHz, in: 500...20_000, "low-pass after clipping, -3 dB"),
      .init("levelDb", \.levelDb, in: -40...12, "level of the clipped peaks, re full scale"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Distortion.self, self, rateHz) }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var drive = Ramp(0)
  private var level = Ramp(0)
  private var tone = Ramp(0)  // the low-pass coefficient
  private var wave: OversampledWave
  private var leftClipper = HardClipper(longest: OversampledWave.longest)
  private var rightClipper = HardClipper(longest: OversampledWave.longest)
  private var lowPassed = SIMD2<Float>.zero

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
    level.finish()
    tone.finish()
    wave.reset()
    leftClipper.reset()
    rightClipper.reset()
    lowPassed = .zero
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    drive.aim(at: Decibels.gain(settings.driveDb), overSamples: glideSamples)
    level.aim(at: Decibels.gain(settings.levelDb), overSamples: glideSamples)
    // The trapezoidal one-pole of Zavalishin, "The Art of VA Filter Design".
    let tangent = cornerTangent(hz: settings.toneHz, sampleRateHz: sampleRateHz)
    tone.aim(at: Float(tangent / (1 + tangent)), overSamples: glideSamples)
  }

  @inline(__always) @_noLocks public mutating func put(_ sound: SIMD2<Float>, at i: Int) {
    wave.put(drive.next() * sound, at: i)
  }

  @_noLocks public mutating func shape(_ count: Int) {
    leftClipper.pass(&wave.left, Oversampler.factor &* count)
    rightClipper.pass(&wave.right, Oversampler.factor &* count)
  }

  @inline(__always) @_noLocks public mutating func output(at i: Int) -> SIMD2<Float> {
    let (level, tone) = (level.next(), tone.next())
    let step = tone * (wave.output(at: i) - lowPassed)
    let toned = lowPassed + step
    lowPassed = (toned + step).flushed
    return level * wave.blocked(toned)
  }
}
