import DSP

/// Takes a voice from one note to the next on a straight line in pitch.
///
/// The line ends at its target exactly; block boundaries change it by rounding alone.
public struct Glide: Sendable, BitwiseCopyable {
  /// Duration of a glide.
  public enum Pace: String, Codable, CaseIterable, Sendable, BitwiseCopyable {
    /// `glideMs`, however far it is.
    case constantTime
    /// `glideMs` for each octave.
    case constantRate
  }

  public struct Settings: ParameterizedSettings {
    public var glideMs = 0.0
    public var pace = Pace.constantTime

    public static let parameters: [Parameter<Settings>] = [
      .init("glideMs", \.glideMs, in: 0...10_000, "glide from note to note"),
      .init("pace", \.pace, "whether that is the time of any glide or of an octave"),
    ]

    public init() {}
  }

  private let glideSamples: Double
  private let isConstantRate: Bool
  private var target = 0.0  // semitones
  private var step = 0.0  // per sample
  private var remaining = 0  // samples
  private var isFirst = true

  public init(_ settings: Settings, sampleRateHz: Double) {
    glideSamples = settings.glideMs / 1000 * sampleRateHz
    isConstantRate = settings.pace == .constantRate
  }

  /// The pitch now.
  public var semitones: Double { @_noLocks get { target - step * Double(remaining) } }

  /// Sets out from where it is; the first time, and with `jumps`, it is there at once.
  ///
  /// An aim that is not finite is none.
  @_noLocks public mutating func aim(at semitones: Double, jumps: Bool = false) {
    guard semitones.isFinite, isFirst || jumps || semitones != target else { return }
    let distance = semitones - self.semitones
    let octaves = isConstantRate ? abs(distance) / 12 : 1
    remaining = isFirst || jumps ? 0 : nearestOf(min(glideSamples * octaves, 1e12))
    step = remaining > 0 ? distance / Double(remaining) : 0
    (target, isFirst) = (semitones, false)
  }

  /// Goes on for a block; returns the pitch at its end.
  @_noLocks public mutating func next(samples: Int) -> Double {
    remaining = max(0, remaining - samples)
    return semitones
  }

  @_noLocks public mutating func reset() {
    (target, step, remaining, isFirst) = (0, 0, 0, true)
  }
}
