import Foundation

/// A sung note: a stretch of a voice that holds one pitch, vibrato and all.
public struct Note: Codable, Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  /// The middle of its pitches, slides aside.
  public var pitchHz: Double
  /// The nearest tempered note; 60 is C4, 69 is A4.
  public var midi: Int
  /// How far `pitchHz` lies above that note, -50 to 50.
  public var deviationCents: Double
  /// How it was reached; `nil` where the note begins on its pitch, or nothing is known of it.
  public var glide: Glide?

  /// A slide into a note.
  public struct Glide: Codable, Equatable, Sendable {
    /// Where it begins, relative to the note's pitch; below 0 it is a scoop from below.
    public var fromCents: Double
    /// From the note's onset until its pitch is reached.
    public var seconds: Double

    public init(fromCents: Double, seconds: Double) {
      (self.fromCents, self.seconds) = (fromCents, seconds)
    }
  }

  public init(
    onsetSeconds: Double, offsetSeconds: Double, pitchHz: Double, concertPitchHz: Double = 440
  ) {
    precondition(pitchHz > 0 && concertPitchHz > 0, "a pitch is positive")
    precondition(offsetSeconds >= onsetSeconds, "a note ends after it begins")
    self.onsetSeconds = onsetSeconds
    self.offsetSeconds = offsetSeconds
    self.pitchHz = pitchHz
    let aboveA4Cents = cents(pitchHz, over: concertPitchHz)
    midi = 69 + Int((aboveA4Cents / 100).rounded())
    deviationCents = aboveA4Cents - 100 * Double(midi - 69)
  }

  public var durationSeconds: Double { offsetSeconds - onsetSeconds }
}
