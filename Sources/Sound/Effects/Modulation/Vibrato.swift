import DSP

/// Modulates the pitch, like a singer.
///
/// A delay of `d(t) = centre + A sin(2 pi rate t)` plays at the speed `1 - d'`. The pitch varies by
/// ±`depthCents` around its mean if `2 pi rate A = tanh(depthCents ln 2 / 1200)`. The centre is the
/// largest `A` of all settings, so that they can change while sound runs; it is the latency.
///
/// - Cost: a sine and two interpolations a sample. Allocates: in `init` only.
/// - Source: Zölzer (ed.), "DAFX", second edition, section 2.6.1.
public struct Vibrato: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var rateHz = 5.5
    public var depthCents = 30.0

    public static let effect = "vibrato"
    public static let summary = "modulates the pitch"
    public static let parameters: [Parameter<Settings>] = [
      .init("rateHz", \.rateHz, in: rates, "cycles a second"),
      .init("depthCents", \.depthCents, in: depths, "deviation of the pitch up and down"),
    ]
    static let rates = 2.0...14.0
    static let depths = 0.0...100.0

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(Vibrato.self, self, rateHz) }

    /// The amplitude `A` in seconds.
    @_noLocks func swingSeconds() -> Double {
      let centsPerE = 1200 * RealtimeMath.log2(RealtimeMath.exp(1))
      return RealtimeMath.hyperbolicTangent(depthCents / centsPerE) / (2 * .pi * rateHz)
    }
  }

  private let sampleRateHz: Double
  private var line: StereoLine
  private let interpolator = Interpolator()
  private var turns = 0.0  // phase in cycles, 0..<1
  private var turnsPerSample: Glide
  private var swing: Glide  // samples
  public let latencySamples: Int

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    var widest = Settings()
    widest.rateHz = Settings.rates.lowerBound
    widest.depthCents = Settings.depths.upperBound
    latencySamples = Int(widest.swingSeconds() * sampleRateHz) + 1 + Interpolator.reach.newer
    line = StereoLine(longest: 2 * latencySamples + 8)
    let timeConstant = 0.02 * sampleRateHz
    turnsPerSample = Glide(settings.rateHz / sampleRateHz, timeConstantSamples: timeConstant)
    swing = Glide(settings.swingSeconds() * sampleRateHz, timeConstantSamples: timeConstant)
  }

  /// The excess of the longest delay over the latency.
  public var tailSamples: Int { @_noLocks get { latencySamples + Interpolator.reach.older } }

  @_noLocks public mutating func reset() {
    line.reset()
    turns = 0
    turnsPerSample.finish()
    swing.finish()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    turnsPerSample.aim(at: settings.rateHz / sampleRateHz)
    swing.aim(at: settings.swingSeconds() * sampleRateHz)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    line.push(sound.flushed)
    let delay = Double(latencySamples) + swing.next() * RealtimeMath.sine(2 * .pi * turns)
    turns += turnsPerSample.next()
    if turns >= 1 { turns -= 1 }
    return SIMD2(interpolator.read(line.left, at: delay), interpolator.read(line.right, at: delay))
  }
}
