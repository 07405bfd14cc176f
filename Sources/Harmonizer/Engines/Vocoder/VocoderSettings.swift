import DSP
import Foundation

extension Vocoder {
  /// Settings; every report has a copy.
  public struct Settings: ParameterizedSettings {
    public var windowMs = 50.0
    public var overlap = 6
    public var formantsKept = true
    public var formantShiftSemitones = 0.0
    public var transientsKept = true
    public var phaseLocked = true

    public static let parameters: [Parameter<Settings>] = [
      .init(
        "windowMs", \.windowMs, in: 10...200,
        """
        length of the analysed frames; partials are told apart from about 4000 / windowMs Hz on: longer \
        suits low voices and chords, shorter suits words
        """),
      .init(
        "overlap", \.overlap, in: 4...8,
        "frames begun in the time of one window: more is smoother and costs more"),
      .init("formantsKept", \.formantsKept, "vowels stay; otherwise they move with the pitch"),
      .init(
        "formantShiftSemitones", \.formantShiftSemitones, in: Engine.formantRange,
        "extra shift of the vowels; positive is a smaller vocal tract"),
      .init(
        "transientsKept", \.transientsKept,
        "attacks and unvoiced sounds keep their shape rather than spread over a frame"),
      .init(
        "phaseLocked", \.phaseLocked, "the bins of a partial turn together, not each by itself"),
    ]

    public init() {}
  }
}

/// The lengths that settings come to at one sample rate, in samples.
struct VocoderShape: Sendable {
  /// Distance from one frame to the next.
  let hop: Int
  /// Length of a frame.
  let window: Int
  /// Part of a frame that is heard: its middle, so that the delay is less than a window.
  let span: Int
  /// Length of the transform: at least two windows, so that a spectrum may be read between its
  /// bins.
  let transform: Int

  var binCount: Int { transform / 2 + 1 }

  /// Half a window till a frame has heard enough, half a span, and a hop to compute in.
  var latency: Int { window / 2 + span / 2 + hop }

  init(_ settings: Vocoder.Settings, sampleRateHz: Double) {
    let wanted = settings.windowMs / 1000 * sampleRateHz / Double(settings.overlap)
    // Even, so that half a window and half a span are whole.
    hop = max(4, Int((wanted / 2).rounded()) * 2)
    window = hop * settings.overlap
    span = hop * (settings.overlap / 2)
    transform = Self.quickLength(atLeast: 2 * window)
  }

  /// The next number with no prime factor above 5 that 16 divides.
  static func quickLength(atLeast count: Int) -> Int {
    var length = (count + 15) / 16 * 16
    while true {
      var rest = length
      for factor in [2, 3, 5] { while rest % factor == 0 { rest /= factor } }
      if rest == 1 { return length }
      length += 16
    }
  }
}

extension Vocoder {
  /// Predicted delay of the vocoder, to compare with measurements: the same for every pitch and
  /// shift.
  ///
  /// - Source: derived in `docs/reference/engines.md`.
  public struct Law: Equatable, Sendable {
    public let settings: Settings

    public init(_ settings: Settings) { self.settings = settings }

    /// Half a window until a frame has heard enough, half of the part that is heard (its middle, whole
    /// hops), and the hop in which its work is done.
    public var delayMs: Double {
      let overlap = Double(settings.overlap)
      let span = (overlap / 2).rounded(.down) / overlap
      return settings.windowMs * (0.5 + span / 2 + 1 / overlap)
    }
  }
}
