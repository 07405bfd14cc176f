import DSP
import Foundation

/// The duration of each pitch class, and the tuning of the music.
public struct PitchClassProfile: Codable, Equatable, Sendable {
  /// Seconds on C, C#, … B.
  public let seconds: [Double]
  /// Offset of the whole music from the nearest tempered notes of A4 = 440 Hz, -50 to 50; `nil` if
  /// the notes share no tuning.
  public let tuningCents: Double?

  /// Creates a profile from given durations, C first.
  public init(seconds: [Double], tuningCents: Double? = nil) {
    precondition(seconds.count == 12 && seconds.allSatisfy { $0 >= 0 }, "one time for each class")
    (self.seconds, self.tuningCents) = (seconds, tuningCents)
  }

  /// Creates a profile from notes, weighted by their duration.
  public init(of notes: [Note]) {
    self.init(
      pitches: notes.map { (69 + 12 * RealtimeMath.log2($0.pitchHz / 440), $0.durationSeconds) })
  }

  /// The tuning is the circular mean of the pitches, with a semitone as one turn. Pitches are then
  /// rounded to the notes of that tuning.
  private init(pitches: [(semitones: Double, seconds: Double)]) {
    var (x, y) = (0.0, 0.0)
    for (semitones, seconds) in pitches {
      x += seconds * cos(2 * .pi * semitones)
      y += seconds * sin(2 * .pi * semitones)
    }
    let total = pitches.reduce(0) { $0 + $1.seconds }
    // Pitches spread evenly between the notes have no mean direction.
    let agrees = total > 0 && hypot(x, y) > 0.1 * total
    let tuning = agrees ? atan2(y, x) / (2 * .pi) : 0
    var bins = [Double](repeating: 0, count: 12)
    for (semitones, seconds) in pitches {
      let key = Int((semitones - tuning).rounded())
      bins[(key % 12 + 12) % 12] += seconds
    }
    self.init(seconds: bins, tuningCents: agrees ? 100 * tuning : nil)
  }
}
