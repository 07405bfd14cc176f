import Foundation

/// The pitch of every voice over time: target and measurement above, the error of each below.
public struct LanePlot: Sendable {
  /// One frame of one voice. Frequencies are in Hz, and `nil` if the voice rests or is unvoiced.
  public struct Frame: Equatable, Sendable {
    public var timeS: Double
    public var targetHz: Double?
    public var measuredHz: Double?

    public init(timeS: Double, targetHz: Double?, measuredHz: Double?) {
      (self.timeS, self.targetHz, self.measuredHz) = (timeS, targetHz, measuredHz)
    }

    /// Error in cents, positive if sharp; `nil` unless both frequencies are known.
    public var errorCents: Double? {
      guard let targetHz, let measuredHz, targetHz > 0, measuredHz > 0 else { return nil }
      return 1200 * log2(measuredHz / targetHz)
    }
  }

  public struct Voice: Sendable {
    /// Label beside the lane: a few letters, such as `+4` or `alto`.
    public var name: String
    /// Frames in order of time.
    public var frames: [Frame]

    public init(_ name: String, frames: [Frame]) { (self.name, self.frames) = (name, frames) }
  }

  /// Voices, one to eight.
  public var voices: [Voice]
  /// Range of the error lanes to either side of 0; larger errors touch the edge and are counted
  /// beside it.
  public var rangeCents: Double

  public init(voices: [Voice], rangeCents: Double = 50) {
    precondition(voices.count <= PlotPalette.series.count, "more voices than colours")
    precondition(rangeCents > 0, "rangeCents is \(rangeCents)")
    (self.voices, self.rangeCents) = (voices, rangeCents)
  }

  /// Maximum number of frames per voice that a screen can resolve.
  static let mostFrames = 500

  /// Thins out frames and keeps the one with the largest error of each group, so that a drawing never
  /// looks better than the measurement.
  static func thinned(_ frames: [Frame]) -> [Frame] {
    let stride = (frames.count + mostFrames - 1) / mostFrames
    guard stride > 1 else { return frames }
    return Swift.stride(from: 0, to: frames.count, by: stride).map { start in
      let group = frames[start..<min(start + stride, frames.count)]
      return group.max { abs($0.errorCents ?? -1) < abs($1.errorCents ?? -1) } ?? frames[start]
    }
  }

  /// Share of the frames whose error is beyond the lane's range; `nil` without known errors.
  func shareBeyond(_ voice: Voice) -> Double? {
    let errors = voice.frames.compactMap(\.errorCents)
    guard !errors.isEmpty else { return nil }
    return Double(errors.count { abs($0) > rangeCents }) / Double(errors.count)
  }
}
