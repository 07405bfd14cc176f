import DSP

/// Softens sharp s and sh, equally in both channels.
///
/// The level of sound above `frequencyHz` is detected. If it exceeds `thresholdDb`, a shelf of
/// varying depth at that frequency reduces the treble. Sound well below the shelf passes unchanged,
/// and without sibilants everything does, bit for bit.
///
/// - Cost: three filters of second order and a power of 2 a sample. Allocates in `init` only.
/// - Source: dynamic shelving as in Reiss and McPherson, "Audio Effects: Theory, Implementation and
///   Application", 2015; the shelf: Simper, as in `TwoPole`; ballistics as in `Compressor`.
public struct DeEsser: SampleEffect, ~Copyable {
  public struct Settings: EffectSettings {
    public var frequencyHz = 5500.0
    public var thresholdDb = -32.0
    public var ratio = 4.0
    public var rangeDb = 12.0
    public var attackMs = 1.0
    public var releaseMs = 60.0

    public static let effect = "deesser"
    public static let summary = "softens sharp s and sh"
    public static let parameters: [Parameter<Settings>] = [
      .init("frequencyHz", \.frequencyHz, in: 2000...12_000, "corner of the treble"),
      .init(
        "thresholdDb", \.thresholdDb, in: -80...0, "peak level of the treble at which it begins"),
      .init("ratio", \.ratio, in: 1...100, "dB of treble in for one dB more out"),
      .init("rangeDb", \.rangeDb, in: 0...24, "largest reduction of the treble"),
      .init("attackMs", \.attackMs, in: 0.1...50, "to 63 % of a step of the gain down"),
      .init("releaseMs", \.releaseMs, in: 10...500, "to 63 % of a step of the gain up"),
    ]

    public init() {}

    public func running(at rateHz: Double) -> RunningEffect { .of(DeEsser.self, self, rateHz) }
  }

  /// Half a period of 250 Hz, far below the treble.
  static var holdMs: Double { @_noLocks get { 2 } }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var tangent = Ramp(0)
  private var range = Ramp(0)
  private var steep = TwoPole<Double>()
  private var steeper = TwoPole<Double>()
  private var shelf = TwoPole<Double>()
  private var reducer: GainReducer

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.02 * sampleRateHz)
    reducer = GainReducer(holdMs: Self.holdMs, sampleRateHz: sampleRateHz)
    apply(settings)
    reset()
  }

  /// The shelf's ringing, at 1 kHz or above: its corner falls by up to an octave.
  public var tailSamples: Int { @_noLocks get { Int(0.002 * sampleRateHz) + 1 } }

  @_noLocks public mutating func reset() {
    tangent.finish()
    range.finish()
    steep.reset()
    steeper.reset()
    shelf.reset()
    reducer.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let tangent = cornerTangent(hz: settings.frequencyHz, sampleRateHz: sampleRateHz)
    self.tangent.aim(at: Float(tangent), overSamples: glideSamples)
    range.aim(at: Float(settings.rangeDb), overSamples: glideSamples)
    reducer.aim(
      thresholdDb: settings.thresholdDb, ratio: settings.ratio, kneeDb: 0,
      overSamples: glideSamples)
    reducer.setTimes(attackMs: settings.attackMs, releaseMs: settings.releaseMs)
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    let (input, corner) = (sound.wide, Double(tangent.next()))
    let down = reducer.next(treble(input, corner), maxDb: Double(range.next()))
    return (input + Self.change(&shelf, input, corner, down)).narrow
  }

  /// The level above the corner: -6 dB at it, falling by 24 dB an octave below.
  @inline(__always) @_noLocks private mutating func treble(
    _ input: SIMD2<Double>, _ corner: Double
  ) -> Float {
    let damping = 1.4142135623730951
    let first = steep.next(input, tangent: corner, damping: damping)
    let once = input - damping * first.band - first.low
    let second = steeper.next(once, tangent: corner, damping: damping)
    let twice = once - damping * second.band - second.low
    let (l, r) = (abs(twice[0]), abs(twice[1]))
    return Float(l > r ? l : r)
  }

  /// The change that a shelf `down` dB deep makes to the input: none at 0 dB.
  @inline(__always) @_noLocks private static func change(
    _ shelf: inout TwoPole<Double>, _ input: SIMD2<Double>, _ corner: Double, _ down: Double
  ) -> SIMD2<Double> {
    let damping = 1.4142135623730951
    let amplitude = RealtimeMath.exp2(down * -0.08304820237218407)  // -log2(10) / 40
    let filtered = shelf.next(
      input, tangent: corner * RealtimeMath.root(amplitude), damping: damping)
    let all = 1 - amplitude * amplitude
    return all * (filtered.low - input)
      + damping * (1 - amplitude) * amplitude * filtered.band
  }
}
