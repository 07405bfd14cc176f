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
public struct Overdrive: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var driveDb = 18.0
    public var frequencyHz = 900.0
    public var asymmetry = 0.3
    public var levelDb = -9.0

    public static let effect = "overdrive"
    public static let summary = "clips peaks softly"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("driveDb", \.driveDb, in: 0...40, "gain of the band before clipping"),
      .init("frequencyHz", \.frequencyHz, in: 100...8000, "centre of the amplified band"),
      .init("asymmetry", \.asymmetry, in: 0...1, "share of even overtones"),
      .init("levelDb", \.levelDb, in: -40...12, "level of the clipped peaks, re full scale"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Overdrive.self, self, sampleRateHz: sampleRateHz)
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var drive: Ramp  // the band's additional gain
  private var tangent: Ramp
  private var bias: Ramp
  private var level: Ramp
  private var band = TwoPole()
  private var left: Channel
  private var right: Channel

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    drive = Ramp(Decibels.gain(settings.driveDb) - 1)
    let tangent = TwoPole.tangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent = Ramp(Float(tangent))
    bias = Ramp(Self.bias(settings))
    level = Ramp(Decibels.gain(settings.levelDb))
    left = Channel(sampleRateHz: sampleRateHz)
    right = Channel(sampleRateHz: sampleRateHz)
    reset()
  }

  public var latencySamples: Int { @_noLocks get { Oversampler.latencySamples } }
  /// The tail of the DC blocker, which is longer than the band's.
  public var tailSamples: Int {
    @_noLocks get {
      2 * Oversampler.latencySamples + DCBlocker.tailSamples(sampleRateHz: sampleRateHz)
    }
  }

  @_noLocks public mutating func reset() {
    drive.finish()
    tangent.finish()
    bias.finish()
    level.finish()
    band.reset()
    left.reset(bias: bias.value)
    right.reset(bias: bias.value)
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    drive.aim(at: Decibels.gain(settings.driveDb) - 1, overSamples: glideSamples)
    let tangent = TwoPole.tangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent.aim(at: Float(tangent), overSamples: glideSamples)
    bias.aim(at: Self.bias(settings), overSamples: glideSamples)
    level.aim(at: Decibels.gain(settings.levelDb), overSamples: glideSamples)
  }

  /// The offset, at most where the slope of the curve is a half.
  @_noLocks private static func bias(_ settings: Settings) -> Float {
    Float(0.766 * settings.asymmetry)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let damping = 1.4
    let count = left.count
    var start = 0
    while start < count {
      let end = min(start + Oversampler.longestStretch, count)
      for i in start..<end {
        let input = SIMD2(Double(left[i]), Double(right[i]))
        let middle = band.take(input, tangent: Double(tangent.next()), damping: damping).band
        let driven = input + Double(drive.next()) * damping * middle
        let bias = bias.next()
        self.left.take(Float(driven[0]), i - start, bias)
        self.right.take(Float(driven[1]), i - start, bias)
      }
      self.left.bend(end - start)
      self.right.bend(end - start)
      for i in start..<end {
        let level = level.next()
        left[i] = level * self.left.give(i - start)
        right[i] = level * self.right.give(i - start)
      }
      start = end
    }
  }
}

extension Overdrive {
  private struct Channel: ~Copyable {
    private var wave: OversampledWave
    /// The output of the curve for silence.
    private var atRest = RealtimeArray<Float>(count: Oversampler.longestStretch)
    private var clipper = SoftClipper(longest: OversampledWave.longest)

    init(sampleRateHz: Double) { wave = OversampledWave(sampleRateHz: sampleRateHz) }

    @_noLocks mutating func reset(bias: Float) {
      wave.reset()
      clipper.reset(to: bias)
    }

    @inline(__always) @_noLocks mutating func take(_ sample: Float, _ i: Int, _ bias: Float) {
      wave.put(sample, i, bias: bias)
      atRest[i] = SoftClipper.bent(bias)
    }

    @_noLocks mutating func bend(_ count: Int) {
      clipper.pass(&wave.samples, Oversampler.factor &* count)
    }

    @inline(__always) @_noLocks mutating func give(_ i: Int) -> Float {
      wave.blocked(wave.lowered(i, offset: atRest[i]))
    }
  }
}
