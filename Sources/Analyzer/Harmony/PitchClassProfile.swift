import Foundation

/// How long each pitch class sounds, and how far the music is tuned from its tempered notes.
public struct PitchClassProfile: Codable, Equatable, Sendable {
  /// Seconds on C, C#, … B.
  public let seconds: [Double]
  /// Of the whole music above the nearest tempered notes of A4 = 440 Hz, -50 to 50; `nil` where the
  /// notes agree on none.
  public let tuningCents: Double?

  /// Of given durations, C first.
  public init(seconds: [Double], tuningCents: Double? = nil) {
    precondition(seconds.count == 12 && seconds.allSatisfy { $0 >= 0 }, "one time for each class")
    (self.seconds, self.tuningCents) = (seconds, tuningCents)
  }

  /// Of notes, each as long as it lasts.
  public init(of notes: [Note]) {
    self.init(pitches: notes.map { (69 + cents($0.pitchHz, over: 440) / 100, $0.durationSeconds) })
  }

  /// Of every voiced frame; slides and vibrato count too, so notes are better where there are some.
  public init(of track: PitchTrack) {
    self.init(
      pitches: track.f0Hz.filter { $0 > 0 }.map {
        (69 + cents($0, over: 440) / 100, track.hopSeconds)
      })
  }

  /// The tuning is the direction of the mean of the pitches, wound up so that a semitone is a turn;
  /// pitches are then rounded to the notes so tuned.
  private init(pitches: [(semitones: Double, seconds: Double)]) {
    var (x, y) = (0.0, 0.0)
    for (semitones, seconds) in pitches {
      x += seconds * cos(2 * .pi * semitones)
      y += seconds * sin(2 * .pi * semitones)
    }
    let total = pitches.reduce(0) { $0 + $1.seconds }
    // Pitches spread evenly between the notes leave no direction.
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
