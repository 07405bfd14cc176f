import DSP
import Foundation

extension Vocoder {
  /// Settings; every report has a copy.
  public struct Settings: Codable, Equatable, Sendable {
    /// Length of the analysed frames. Two partials are told apart from about 4000 / `windowMs` Hz
    /// on, so that longer suits low voices and chords, shorter suits words.
    public var windowMs: Double
    /// Frames begun in the time of one window, 4 to 8: more is smoother and costs more.
    public var overlap: Int
    /// True if vowels stay where they are; otherwise they move with the pitch.
    public var formantsKept: Bool
    /// Extra shift of the vowels; positive is a smaller mouth.
    public var formantShiftSemitones: Double
    /// True if attacks and unvoiced sounds are kept in shape rather than spread over a frame.
    public var transientsKept: Bool
    /// True if the bins of a partial turn together, rather than each by itself.
    public var phaseLocked: Bool

    public init(
      windowMs: Double = 50, overlap: Int = 6, formantsKept: Bool = true,
      formantShiftSemitones: Double = 0, transientsKept: Bool = true, phaseLocked: Bool = true
    ) {
      self.windowMs = windowMs
      self.overlap = overlap
      self.formantsKept = formantsKept
      self.formantShiftSemitones = formantShiftSemitones
      self.transientsKept = transientsKept
      self.phaseLocked = phaseLocked
    }

    public func validate() throws(SettingsError) {
      try require("windowMs", windowMs, in: 10...200)
      try require("overlap", Double(overlap), in: 4...8)
      try require("formantShiftSemitones", formantShiftSemitones, in: -12...12)
    }
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
