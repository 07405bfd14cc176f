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
public struct Distortion: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var driveDb = 30.0
    public var toneHz = 5000.0
    public var levelDb = -12.0

    public static let effect = "distortion"
    public static let summary = "clips peaks hard"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("driveDb", \.driveDb, in: 0...60, "gain before clipping"),
      .init("toneHz", \.toneHz, in: 500...20_000, "low-pass after clipping, -3 dB"),
      .init("levelDb", \.levelDb, in: -40...12, "level of the clipped peaks, re full scale"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Distortion.self, self, sampleRateHz: sampleRateHz)
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var drive: Ramp
  private var level: Ramp
  private var tone: Ramp  // the low-pass coefficient
  private var left: Channel
  private var right: Channel

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    drive = Ramp(Decibels.gain(settings.driveDb))
    level = Ramp(Decibels.gain(settings.levelDb))
    tone = Ramp(Self.tone(settings.toneHz, sampleRateHz))
    left = Channel(sampleRateHz: sampleRateHz)
    right = Channel(sampleRateHz: sampleRateHz)
  }

  public var latencySamples: Int { @_noLocks get { Oversampler.latencySamples } }
  public var tailSamples: Int {
    @_noLocks get {
      2 * Oversampler.latencySamples + DCBlocker.tailSamples(sampleRateHz: sampleRateHz)
    }
  }

  @_noLocks public mutating func reset() {
    drive.finish()
    level.finish()
    tone.finish()
    left.reset()
    right.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    drive.aim(at: Decibels.gain(settings.driveDb), overSamples: glideSamples)
    level.aim(at: Decibels.gain(settings.levelDb), overSamples: glideSamples)
    tone.aim(at: Self.tone(settings.toneHz, sampleRateHz), overSamples: glideSamples)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    var start = 0
    while start < count {
      let end = min(start + Oversampler.longestStretch, count)
      for i in start..<end {
        let drive = drive.next()
        self.left.take(drive * left[i], i - start)
        self.right.take(drive * right[i], i - start)
      }
      self.left.clip(end - start)
      self.right.clip(end - start)
      for i in start..<end {
        let (level, tone) = (level.next(), tone.next())
        left[i] = level * self.left.give(i - start, tone)
        right[i] = level * self.right.give(i - start, tone)
      }
      start = end
    }
  }

  /// The coefficient of the trapezoidal one-pole of Zavalishin, "The Art of VA Filter Design".
  @_noLocks private static func tone(_ hz: Double, _ sampleRateHz: Double) -> Float {
    let tangent = RealtimeMath.tangent(.pi * min(hz, 0.45 * sampleRateHz) / sampleRateHz)
    return Float(tangent / (1 + tangent))
  }
}

extension Distortion {
  private struct Channel: ~Copyable {
    private var wave: OversampledWave
    private var clipper = HardClipper(longest: OversampledWave.longest)
    private var lowPassed: Float = 0

    init(sampleRateHz: Double) { wave = OversampledWave(sampleRateHz: sampleRateHz) }

    @_noLocks mutating func reset() {
      wave.reset()
      clipper.reset()
      lowPassed = 0
    }

    @inline(__always) @_noLocks mutating func take(_ sample: Float, _ i: Int) {
      wave.put(sample, i)
    }

    @_noLocks mutating func clip(_ count: Int) {
      clipper.pass(&wave.samples, Oversampler.factor &* count)
    }

    @inline(__always) @_noLocks mutating func give(_ i: Int, _ tone: Float) -> Float {
      let step = tone * (wave.lowered(i) - lowPassed)
      let toned = lowPassed + step
      lowPassed = (toned + step).flushed
      return wave.blocked(toned)
    }
  }
}
