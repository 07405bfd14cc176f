import DSP

/// Softens sharp s and sh, by the same in both channels.
///
/// What lies above `frequencyHz` is listened to; as far as it is above `thresholdDb` the treble is
/// turned down by a shelf at that frequency, whose depth moves. What lies well below passes as it is,
/// and all of it does, to the bit, while nothing is sharp.
///
/// - Cost: three filters of second order and a power of 2 a sample. Allocates in `init` only.
/// - Source: dynamic shelving as in Reiss and McPherson, "Audio Effects: Theory, Implementation and
///   Application", 2015; the shelf: Simper, as in `TwoPole`; ballistics as in `Compressor`.
public struct DeEsser: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var frequencyHz = 5500.0
    public var thresholdDb = -32.0
    public var ratio = 4.0
    public var rangeDb = 12.0
    public var attackMs = 1.0
    public var releaseMs = 60.0

    public static let effect = "deesser"
    public static let summary = "softens sharp s and sh"
    public static let parameters: [EffectParameter<Settings>] = [
      .init("frequencyHz", \.frequencyHz, in: 2000...12_000, "where the treble begins"),
      .init("thresholdDb", \.thresholdDb, in: -80...0, "peak level of the treble where it begins"),
      .init("ratio", \.ratio, in: 1...100, "dB of treble in for one dB more out"),
      .init("rangeDb", \.rangeDb, in: 0...24, "how far down the treble is turned at most"),
      .init("attackMs", \.attackMs, in: 0.1...50, "to 63 % of a step of the gain down"),
      .init("releaseMs", \.releaseMs, in: 10...500, "to 63 % of a step of the gain up"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(DeEsser.self, self, sampleRateHz: sampleRateHz)
    }
  }

  /// Half a period of 250 Hz; treble is far above.
  static var holdMs: Double { @_noLocks get { 2 } }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var tangent: Ramp
  private var threshold: Ramp
  private var slope: Ramp
  private var range: Ramp
  private var steep = TwoPole()
  private var steeper = TwoPole()
  private var shelf = TwoPole()
  private var hold: PeakHold
  private var held: Float = 0
  private var heldDb = Decibels.level(0)
  private var reduction: Ballistics  // dB, 0 or more

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    let tangent = TwoPole.tangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent = Ramp(Float(tangent))
    threshold = Ramp(Float(settings.thresholdDb))
    slope = Ramp(Float(1 - 1 / settings.ratio))
    range = Ramp(Float(settings.rangeDb))
    hold = PeakHold(samples: Int(Self.holdMs / 1000 * sampleRateHz))
    reduction = Ballistics(attackSamples: 0, releaseSamples: 0)
    setTimes(settings)
  }

  public var latencySamples: Int { @_noLocks get { 0 } }
  /// The shelf rings at 2 kHz or above.
  public var tailSamples: Int { @_noLocks get { Int(0.001 * sampleRateHz) + 1 } }

  @_noLocks public mutating func reset() {
    tangent.finish()
    threshold.finish()
    slope.finish()
    range.finish()
    steep.reset()
    steeper.reset()
    shelf.reset()
    hold.reset()
    (held, heldDb) = (0, Decibels.level(0))
    reduction.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let tangent = TwoPole.tangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent.aim(at: Float(tangent), overSamples: glideSamples)
    threshold.aim(at: Float(settings.thresholdDb), overSamples: glideSamples)
    slope.aim(at: Float(1 - 1 / settings.ratio), overSamples: glideSamples)
    range.aim(at: Float(settings.rangeDb), overSamples: glideSamples)
    setTimes(settings)
  }

  /// The release includes the hold.
  @_noLocks private mutating func setTimes(_ settings: Settings) {
    let perMs = sampleRateHz / 1000
    reduction.setTimes(
      attackSamples: settings.attackMs * perMs,
      releaseSamples: settings.releaseMs * perMs - Double(hold.samples))
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    for i in 0..<count {
      let input = SIMD2(Double(left[i]), Double(right[i]))
      let corner = Double(tangent.next())
      let down = reductionDb(of: treble(input, corner))
      let output = input + Self.change(&shelf, input, corner, down)
      left[i] = Float(output[0])
      right[i] = Float(output[1])
    }
  }

  /// What lies above the corner: -6 dB there, 24 dB an octave below.
  @inline(__always) @_noLocks private mutating func treble(
    _ input: SIMD2<Double>, _ corner: Double
  ) -> Float {
    let damping = 1.4142135623730951
    let first = steep.take(input, tangent: corner, damping: damping)
    let once = input - damping * first.band - first.low
    let second = steeper.take(once, tangent: corner, damping: damping)
    let twice = once - damping * second.band - second.low
    let (l, r) = (abs(twice[0]), abs(twice[1]))
    return Float(l > r ? l : r)
  }

  @inline(__always) @_noLocks private mutating func reductionDb(of size: Float) -> Double {
    let peak = hold.take(size)
    if peak != held { (held, heldDb) = (peak, Decibels.level(peak)) }
    let curve = GainCurve(
      thresholdDb: Double(threshold.next()), slope: Double(slope.next()), kneeDb: 0)
    let wanted = curve.reductionDb(atDb: heldDb)
    let most = Double(range.next())
    return reduction.follow(wanted < most ? wanted : most)
  }

  /// What a shelf `down` dB deep adds to the input: nothing at 0 dB.
  @inline(__always) @_noLocks private static func change(
    _ shelf: inout TwoPole, _ input: SIMD2<Double>, _ corner: Double, _ down: Double
  ) -> SIMD2<Double> {
    let damping = 1.4142135623730951
    let amplitude = RealtimeMath.exp2(down * -0.08304820237218407)  // -log2(10) / 40
    let filtered = shelf.take(
      input, tangent: corner * RealtimeMath.root(amplitude), damping: damping)
    let all = 1 - amplitude * amplitude
    return all * (filtered.low - input)
      + damping * (1 - amplitude) * amplitude * filtered.band
  }
}
