import DSP

/// Bends the peaks softly, as a tube or a guitarist's pedal does.
///
/// A band around `frequencyHz` is amplified by `driveDb` against the rest; the whole is bent along
/// `x / √(1 + x²)` at eight times the rate. `asymmetry` moves the wave off the middle of the bend,
/// which adds even overtones; the direct current it makes is taken away.
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
    public static let summary = "bends the peaks softly"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("driveDb", \.driveDb, in: 0...40, "gain of the band before bending"),
      .init("frequencyHz", \.frequencyHz, in: 100...8000, "middle of the band that is driven most"),
      .init("asymmetry", \.asymmetry, in: 0...1, "even overtones beside odd ones"),
      .init("levelDb", \.levelDb, in: -40...12, "of the bent peaks, against full scale"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(Overdrive.self, self, sampleRateHz: sampleRateHz)
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var drive: Ramp  // what the band gets beyond the rest
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
  /// The band rings out sooner than direct current is forgotten.
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

  /// At most where the slope of the bend has fallen to a half.
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
    /// What silence is bent to.
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
