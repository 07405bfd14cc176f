import DSP
import Foundation

/// Names the chord of a sound, as a whole or over time.
///
/// The strengths of notes, measured frame by frame, are summed over octaves; the chord is the one
/// most similar to the sum. Over time, the best path through the chords is found, on which each
/// change costs `changeCost`.
///
/// - Domain: voices or instruments with harmonics, near equal temperament; octaves are not
///   distinguished. A missing or unsteady bass spoils the inversion, not the chord.
/// - Cost: about 0.01 of real time. Allocates.
public struct ChordListener: Sendable {
  public struct Settings: Codable, Equatable, Sendable {
    public var hopMs = 100.0
    /// Tuning of the sound relative to A4 = 440 Hz.
    public var tuningCents = 0.0
    /// Cost of a chord change, in units of similarity.
    public var changeCost = 0.5
    /// Minimum strength of the bass, the lowest such note, relative to the strongest note.
    public var bassShare = 0.3

    public init() {}

    public func validate() throws(SettingsError) {
      try require("hopMs", hopMs, in: 10...1000)
      try require("tuningCents", tuningCents, in: -50...50)
      try require("changeCost", changeCost, in: 0...100)
      try require("bassShare", bassShare, in: 0.01...1)
    }
  }

  public let settings: Settings

  public init(_ settings: Settings = Settings()) throws(SettingsError) {
    try settings.validate()
    self.settings = settings
  }

  /// Returns the chord of the whole sound; `N` for silence.
  public func chord(of signal: Signal) -> ChordEstimate {
    estimate(strengths(of: signal).frames[...])
  }

  /// Returns the chords of the sound in order; neighbours differ.
  public func chords(of signal: Signal) -> [ChordSpan] {
    let strengths = strengths(of: signal)
    let runs = runs(strengths.frames.map { ChordEstimate.likenesses(of: Self.chroma($0)) })
    return runs.enumerated().map { index, run in
      let start = index == 0 ? 0 : (Double(run.lowerBound) - 0.5) * strengths.hopSeconds
      let end =
        index == runs.count - 1
        ? signal.durationSeconds : (Double(run.upperBound) - 0.5) * strengths.hopSeconds
      return ChordSpan(
        startSeconds: start, endSeconds: end, chord: estimate(strengths.frames[run]).chord)
    }.reduce(into: []) { joined, span in
      if let last = joined.last, last.chord == span.chord {
        joined[joined.count - 1].endSeconds = span.endSeconds
      } else {
        joined.append(span)
      }
    }
  }

  private func strengths(of signal: Signal) -> NoteStrengths {
    NoteStrengths(of: signal, tuningCents: settings.tuningCents, hopMs: settings.hopMs)
  }

  private func estimate(_ frames: ArraySlice<[Double]>) -> ChordEstimate {
    let notes = frames.reduce(Array(repeating: 0, count: NoteStrengths.notes.count)) { sum, frame in
      zip(sum, frame).map { $0 + $1 }
    }
    let top = notes.max() ?? 0
    let lowest = notes.firstIndex { top > 0 && $0 >= settings.bassShare * top }
    return ChordEstimate(
      chroma: Self.chroma(notes), bass: lowest.map { ($0 + NoteStrengths.notes.lowerBound) % 12 })
  }

  private static func chroma(_ notes: [Double]) -> [Double] {
    notes.enumerated().reduce(into: Array(repeating: 0, count: 12)) { chroma, note in
      chroma[(note.offset + NoteStrengths.notes.lowerBound) % 12] += note.element
    }
  }

  /// The runs of frames between changes on the best path through the chords and no chord.
  private func runs(_ likenesses: [[Double]]) -> [Range<Int>] {
    let count = ChordEstimate.chords.count + 1
    var scores = [Double](repeating: 0, count: count)
    var cameFrom: [[Int]] = []
    for frame in likenesses {
      let leader = scores.indices.max { scores[$0] < scores[$1] }!
      cameFrom.append(
        scores.indices.map { scores[$0] >= scores[leader] - settings.changeCost ? $0 : leader })
      scores = scores.indices.map { state in
        max(scores[state], scores[leader] - settings.changeCost)
          + (state < frame.count ? frame[state] : ChordEstimate.leastLikeness)
      }
    }
    guard !likenesses.isEmpty else { return [] }
    var state = scores.indices.max { scores[$0] < scores[$1] }!
    var (runs, end) = ([Range<Int>](), likenesses.count)
    for frame in likenesses.indices.reversed() where frame > 0 && cameFrom[frame][state] != state {
      runs.append(frame..<end)
      (state, end) = (cameFrom[frame][state], frame)
    }
    return [0..<end] + runs.reversed()
  }
}
