import DSP

/// A parametric equalizer: a high-pass, a low shelf, three peaks, a high shelf.
///
/// By default, and with all gains 0, the output equals the input bit for bit. All bands always run,
/// so that each can be added without a click.
///
/// - Cost: six `StateVariableFilter`s. Allocates: nothing.
/// - Source: the responses of the Audio EQ Cookbook; see `FilterDesign`.
public struct ParametricEQ: SampleEffect, ~Copyable {
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
    public static let parameters: [Parameter<Settings>] = [
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

    public func running(at rateHz: Double) -> RunningEffect { .of(ParametricEQ.self, self, rateHz) }
  }

  private static var bandCount: Int { @_noLocks get { 6 } }
  /// The steepest slope of a shelf without an overshoot.
  private static var shelfQ: Double { @_noLocks get { 0.707_106_781_186_547_5 } }

  private let sampleRateHz: Double
  private let glideSamples: Int
  /// The filters from the high-pass to the high shelf.
  private var bands: RealtimeArray<StateVariableFilter>

  public init(_ settings: Settings, sampleRateHz: Double) {
    self.sampleRateHz = sampleRateHz
    glideSamples = Int(0.05 * sampleRateHz)
    bands = RealtimeArray(count: Self.bandCount) {
      StateVariableFilter(Self.design(ofBand: $0, settings, sampleRateHz))
    }
  }

  public var tailSamples: Int {
    @_noLocks get {
      var samples = 0
      for band in 0..<Self.bandCount { samples += bands[band].tailSamples }
      return samples
    }
  }

  @_noLocks public mutating func reset() {
    for band in 0..<Self.bandCount { bands[band].reset() }
  }

  @_noLocks public mutating func apply(_ settings: Settings) {
    for band in 0..<Self.bandCount {
      bands[band].glide(
        to: Self.design(ofBand: band, settings, sampleRateHz), overSamples: glideSamples)
    }
  }

  @inline(__always) @_noLocks public mutating func next(_ sound: SIMD2<Float>) -> SIMD2<Float> {
    var sound = sound.wide
    for band in 0..<Self.bandCount { sound = bands[band].next(sound) }
    return sound.flushed.narrow
  }

  @_noLocks private static func design(
    ofBand band: Int, _ settings: Settings, _ rate: Double
  ) -> FilterDesign {
    switch band {
    case 0:
      let cut = FilterDesign.highPass(settings.highpassHz, q: shelfQ, sampleRateHz: rate)
      return settings.highpass ? cut : cut.passing()
    case 1:
      return .lowShelf(
        settings.lowShelfHz, gainDb: settings.lowShelfDb, q: shelfQ, sampleRateHz: rate)
    case 2:
      return .peak(settings.lowHz, gainDb: settings.lowDb, q: settings.lowQ, sampleRateHz: rate)
    case 3:
      return .peak(settings.midHz, gainDb: settings.midDb, q: settings.midQ, sampleRateHz: rate)
    case 4:
      return .peak(settings.highHz, gainDb: settings.highDb, q: settings.highQ, sampleRateHz: rate)
    default:
      return .highShelf(
        settings.highShelfHz, gainDb: settings.highShelfDb, q: shelfQ, sampleRateHz: rate)
    }
  }
}
