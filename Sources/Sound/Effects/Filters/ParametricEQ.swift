import DSP

/// A parametric equalizer: a high-pass, a low shelf, three peaks, a high shelf.
///
/// By default, and with all gains 0, the output equals the input bit for bit. All bands always run,
/// so that each can be added without a click.
///
/// - Cost: six `StateVariableFilter`s. Allocates: nothing.
/// - Source: the responses of the Audio EQ Cookbook; see `FilterDesign`.
public struct ParametricEQ: Effect, ~Copyable {
  public struct Settings: EffectSettings {
    public var highpass = false
    public var highpassHz = 80.0
    public var lowShelfHz = 120.0
    public var lowShelfDb = 0.0
    public var lowHz = 250.0
    public var lowDb = 0.0
    public var lowQ = 1.0
    public var midHz = 1000.0
    public var midDb = 0.0
    public var midQ = 1.0
    public var highHz = 4000.0
    public var highDb = 0.0
    public var highQ = 1.0
    public var highShelfHz = 8000.0
    public var highShelfDb = 0.0

    public static let effect = "eq"
    public static let summary = "a high-pass, two shelves and three peaks"
    private static let frequencies = 20.0...20_000
    private static let gains = -24.0...24
    private static let widths = 0.2...20
    public static let parameters: [EffectParameter<Settings>] = [
      .init("highpass", \.highpass, "high-pass of 12 dB an octave"),
      .init("highpassHz", \.highpassHz, in: 20...2000, "cut-off of the high-pass"),
      .init("lowShelfHz", \.lowShelfHz, in: frequencies, "middle of the slope of the low shelf"),
      .init("lowShelfDb", \.lowShelfDb, in: gains, "gain below it"),
      .init("lowHz", \.lowHz, in: frequencies, "centre of the low peak"),
      .init("lowDb", \.lowDb, in: gains, "gain there"),
      .init("lowQ", \.lowQ, in: widths, "centre over width; more is narrower"),
      .init("midHz", \.midHz, in: frequencies, "centre of the peak in the middle"),
      .init("midDb", \.midDb, in: gains, "gain there"),
      .init("midQ", \.midQ, in: widths, "centre over width; more is narrower"),
      .init("highHz", \.highHz, in: frequencies, "centre of the high peak"),
      .init("highDb", \.highDb, in: gains, "gain there"),
      .init("highQ", \.highQ, in: widths, "centre over width; more is narrower"),
      .init("highShelfHz", \.highShelfHz, in: frequencies, "middle of the slope of the high shelf"),
      .init("highShelfDb", \.highShelfDb, in: gains, "gain above it"),
    ]

    public init() {}

    public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
      try .running(ParametricEQ.self, self, sampleRateHz: sampleRateHz)
    }
  }

  /// A filter for each band.
  private struct Bands {
    var highpass: StateVariableFilter
    var lowShelf: StateVariableFilter
    var low: StateVariableFilter
    var mid: StateVariableFilter
    var high: StateVariableFilter
    var highShelf: StateVariableFilter

    @inline(__always) @_noLocks mutating func next(_ input: SIMD2<Double>) -> SIMD2<Double> {
      highShelf.next(high.next(mid.next(low.next(lowShelf.next(highpass.next(input))))))
    }
  }

  private let sampleRateHz: Double
  private let glideSamples: Int
  private var bands: Bands

  public init(_ settings: Settings, sampleRateHz: Double) throws(SettingsError) {
    try settings.validate()
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.05 * sampleRateHz)
    let designs = Designs(settings, sampleRateHz)
    bands = Bands(
      highpass: StateVariableFilter(designs.highpass),
      lowShelf: StateVariableFilter(designs.lowShelf), low: StateVariableFilter(designs.low),
      mid: StateVariableFilter(designs.mid), high: StateVariableFilter(designs.high),
      highShelf: StateVariableFilter(designs.highShelf))
  }

  public var latencySamples: Int { @_noLocks get { 0 } }

  public var tailSamples: Int {
    @_noLocks get {
      bands.highpass.tailSamples + bands.lowShelf.tailSamples + bands.low.tailSamples
        + bands.mid.tailSamples + bands.high.tailSamples + bands.highShelf.tailSamples
    }
  }

  @_noLocks public mutating func reset() {
    bands.highpass.reset()
    bands.lowShelf.reset()
    bands.low.reset()
    bands.mid.reset()
    bands.high.reset()
    bands.highShelf.reset()
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    let designs = Designs(settings, sampleRateHz)
    bands.highpass.glide(to: designs.highpass, overSamples: glideSamples)
    bands.lowShelf.glide(to: designs.lowShelf, overSamples: glideSamples)
    bands.low.glide(to: designs.low, overSamples: glideSamples)
    bands.mid.glide(to: designs.mid, overSamples: glideSamples)
    bands.high.glide(to: designs.high, overSamples: glideSamples)
    bands.highShelf.glide(to: designs.highShelf, overSamples: glideSamples)
  }

  @_noLocks public mutating func process(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let count = left.count
    var bands = bands
    for i in 0..<count {
      let output = bands.next(SIMD2(Double(left[i]), Double(right[i]))).flushed
      left[i] = Float(output[0])
      right[i] = Float(output[1])
    }
    self.bands = bands
  }
}

/// The designs of the bands for given settings.
private struct Designs {
  let highpass: FilterDesign
  let lowShelf: FilterDesign
  let low: FilterDesign
  let mid: FilterDesign
  let high: FilterDesign
  let highShelf: FilterDesign

  /// The steepest slope without an overshoot.
  private static var shelfQ: Double { @_noLocks get { 0.707_106_781_186_547_5 } }

  @_noLocks init(_ settings: ParametricEQ.Settings, _ rate: Double) {
    let cut = FilterDesign.highPass(settings.highpassHz, q: Self.shelfQ, sampleRateHz: rate)
    highpass = settings.highpass ? cut : cut.passing()
    lowShelf = .lowShelf(
      settings.lowShelfHz, gainDb: settings.lowShelfDb, q: Self.shelfQ, sampleRateHz: rate)
    low = .peak(settings.lowHz, gainDb: settings.lowDb, q: settings.lowQ, sampleRateHz: rate)
    mid = .peak(settings.midHz, gainDb: settings.midDb, q: settings.midQ, sampleRateHz: rate)
    high = .peak(settings.highHz, gainDb: settings.highDb, q: settings.highQ, sampleRateHz: rate)
    highShelf = .highShelf(
      settings.highShelfHz, gainDb: settings.highShelfDb, q: Self.shelfQ, sampleRateHz: rate)
  }
}
