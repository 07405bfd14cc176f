import Foundation

/// The pitch of every voice over time: target and measurement above, the error of each below.
public struct LaneFigure: Sendable {
  /// One moment of one voice. Frequencies in Hz; nil where the voice rests or is unvoiced.
  public struct Frame: Equatable, Sendable {
    public var timeS: Double
    public var targetHz: Double?
    public var measuredHz: Double?

    public init(timeS: Double, targetHz: Double?, measuredHz: Double?) {
      (self.timeS, self.targetHz, self.measuredHz) = (timeS, targetHz, measuredHz)
    }

    /// Positive is sharp; nil unless both frequencies are known.
    public var errorCents: Double? {
      guard let targetHz, let measuredHz, targetHz > 0, measuredHz > 0 else { return nil }
      return 1200 * log2(measuredHz / targetHz)
    }
  }

  public struct Voice: Sendable {
    /// Stands beside the lane: a few letters, for example `+4` or `alto`.
    public var name: String
    /// In order of time.
    public var frames: [Frame]

    public init(_ name: String, frames: [Frame]) { (self.name, self.frames) = (name, frames) }
  }

  /// One to eight.
  public var voices: [Voice]
  /// The error lanes reach from minus this to plus this; errors beyond touch the edge
  /// and are counted beside it.
  public var rangeCents: Double

  public init(voices: [Voice], rangeCents: Double = 50) {
    precondition(voices.count <= PlotPalette.series.count, "more voices than colours")
    precondition(rangeCents > 0, "rangeCents is \(rangeCents)")
    (self.voices, self.rangeCents) = (voices, rangeCents)
  }

  /// Frames drawn per voice; more would not be told apart on a screen.
  static let mostFrames = 500

  /// Thins out frames, of each group keeping the one with the largest error, so that a drawing
  /// never looks better than the measurement.
  static func thinned(_ frames: [Frame]) -> [Frame] {
    let stride = (frames.count + mostFrames - 1) / mostFrames
    guard stride > 1 else { return frames }
    return Swift.stride(from: 0, to: frames.count, by: stride).map { start in
      let group = frames[start..<min(start + stride, frames.count)]
      return group.max { abs($0.errorCents ?? -1) < abs($1.errorCents ?? -1) } ?? frames[start]
    }
  }

  /// Share of the frames with a known error whose error the lane cannot show; nil without frames.
  func shareBeyond(_ voice: Voice) -> Double? {
    let errors = voice.frames.compactMap(\.errorCents)
    guard !errors.isEmpty else { return nil }
    return Double(errors.count { abs($0) > rangeCents }) / Double(errors.count)
  }
}
