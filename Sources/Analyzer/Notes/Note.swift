import Foundation

/// A sung note: a stretch of voice around one pitch, vibrato included.
public struct Note: Codable, Equatable, Sendable {
  public var onsetSeconds: Double
  public var offsetSeconds: Double
  /// Median of its pitches, slides excluded.
  public var pitchHz: Double
  /// MIDI number of the nearest tempered note; 60 is C4, 69 is A4.
  public var midi: Int
  /// Distance of `pitchHz` above that note, -50 to 50.
  public var deviationCents: Double
  /// Slide into the note; `nil` if it begins on its pitch, or if unknown.
  public var glide: Glide?

  /// A slide into a note.
  public struct Glide: Codable, Equatable, Sendable {
    /// Pitch at the beginning of the slide, relative to the note's; a scoop from below is negative.
    public var fromCents: Double
    /// Time from the note's onset until its pitch is reached.
    public var seconds: Double

    public init(fromCents: Double, seconds: Double) {
      (self.fromCents, self.seconds) = (fromCents, seconds)
    }
  }

  public init(onsetSeconds: Double, offsetSeconds: Double, pitchHz: Double) {
    precondition(pitchHz > 0, "a pitch is positive")
    precondition(offsetSeconds >= onsetSeconds, "a note ends after it begins")
    self.onsetSeconds = onsetSeconds
    self.offsetSeconds = offsetSeconds
    self.pitchHz = pitchHz
    let aboveA4Cents = cents(pitchHz, over: 440)
    midi = 69 + Int((aboveA4Cents / 100).rounded())
    deviationCents = aboveA4Cents - 100 * Double(midi - 69)
  }

  public var durationSeconds: Double { offsetSeconds - onsetSeconds }
}
