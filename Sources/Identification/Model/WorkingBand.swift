import Analyzer
import DSP
import Foundation
import Metrics
import Statistics
import Subjects

/// The band of input pitch in which the output has the pitch that is asked for.
public struct WorkingBand: Codable, Equatable, Sendable {
  /// Notes that were sung, lowest first, and whether each came out in tune.
  public struct Note: Codable, Equatable, Sendable {
    public var hz: Double
    /// Share of the note within 50 cents of its target.
    public var inTune: Double
  }

  public var notes: [Note]
  /// Lowest and highest note of the longest run that works; `nil` if no note does.
  public var lowestHz: Double?
  public var highestHz: Double?
  /// True if the lowest or highest note that was sung works, so that the band may be wider.
  public var reachesLowest: Bool
  public var reachesHighest: Bool

  /// Notes of A major from A1 to E6, so that a tuner to that key leaves them where they are.
  static let notesHz: [Double] = (0..<5).flatMap { octave in
    [0.0, 4, 7].map { 55 * exp2(Double(octave) + $0 / 12) }
  }
  private static let noteSeconds = 0.4
  private static let rateHz = 48_000.0
  /// The start of a note, in which engines may still look for its pitch.
  private static let settledSeconds = 0.15
  private static let leastInTune = 0.8

  static var seconds: Double { 0.2 + noteSeconds * Double(notesHz.count) }

  /// - Parameter delayMs: the subject's delay, by which the notes are looked for later.
  /// - Throws: the subject's error.
  init(_ bench: ProbeBench, delayMs: Double) throws {
    let input = ProbeSounds.tone(seconds: Self.seconds, sampleRateHz: Self.rateHz) {
      Self.notesHz[min(Int($0 / Self.noteSeconds), Self.notesHz.count - 1)]
    } gain: { time in
      let within = time.truncatingRemainder(dividingBy: Self.noteSeconds)
      return min(1, within / 0.01, (Self.noteSeconds - within) / 0.01)
    }
    // Up to 1600 Hz, which the tracker reads: the highest note is 1318 Hz.
    let shift = bench.takesIntervals ? 3.0 : 0
    let output = try bench.render(
      input,
      ResolvedScore(
        bench.followingScore(noteHz: 220, semitones: shift).score, lead: Self.lead)
    ).mix
    var tracking = PitchTracker.Settings()
    (tracking.floorHz, tracking.ceilingHz) = (40, 1600)
    let track = try PitchTracker(tracking).track(output)
    notes = Self.notesHz.enumerated().map { index, hz in
      let start = Double(index) * Self.noteSeconds + max(0, delayMs) / 1000
      let first = Int((start + Self.settledSeconds) / track.hopSeconds)
      let last = Int((start + Self.noteSeconds - 0.03) / track.hopSeconds)
      let frames = track.f0Hz[min(first, track.count)..<min(last, track.count)]
      let target = hz * exp2(shift / 12)
      let good = frames.count { $0 > 0 && abs(cents($0, over: target)) <= 50 }
      return Note(hz: hz, inTune: Double(good) / Double(max(1, frames.count)))
    }
    let works = notes.map { $0.inTune >= Self.leastInTune }
    var runs: [Range<Int>] = []
    for index in notes.indices where works[index] {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    let longest = runs.max { $0.count < $1.count }
    reachesLowest = longest?.lowerBound == 0
    reachesHighest = longest?.upperBound == Self.notesHz.count
    lowestHz = longest.map { Self.notesHz[$0.lowerBound] }
    highestHz = longest.map { Self.notesHz[$0.upperBound - 1] }
  }

  /// The true pitch of the input.
  private static var lead: PitchTrack {
    let hop = 0.005
    let f0Hz = (0...Int(seconds / hop)).map { frame in
      notesHz[min(Int(Double(frame) * hop / noteSeconds), notesHz.count - 1)]
    }
    return PitchTrack(hopSeconds: hop, f0Hz: f0Hz, voicing: f0Hz.map { _ in 1 })
  }
}
