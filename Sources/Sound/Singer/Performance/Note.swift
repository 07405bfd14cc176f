/// One sung note: pitch, time, and manner of singing.
public struct Note: Codable, Equatable, Sendable {
  public var startSeconds: Double
  public var durationSeconds: Double
  /// Note number, 69 = A4; fractions are between keys.
  public var pitchSemitones: Double
  /// Length of the glide from the note before, centred on the start; unused after a rest.
  public var glideMs = 60.0
  /// Deviations from the pitch along the note, for scoops and speech melody; smooth between points.
  public var bend: [BendPoint] = []
  public var vibrato = Vibrato()
  public var dynamics = Dynamics()
  public var onset = Onset.plain
  /// Duration of the onset's manner.
  public var onsetMs = 180.0
  /// Phonation on this note; nil uses the voice's own.
  public var phonation: Phonation?
  /// Text for people to read.
  public var lyric: String?

  public init(startSeconds: Double, durationSeconds: Double, pitchSemitones: Double) {
    self.startSeconds = startSeconds
    self.durationSeconds = durationSeconds
    self.pitchSemitones = pitchSemitones
  }

  public var endSeconds: Double { startSeconds + durationSeconds }

  func validate() throws(SingerError) {
    try require("startSeconds", startSeconds, in: 0...36_000)
    try require("durationSeconds", durationSeconds, in: 0.01...3_600)
    try require("pitchSemitones", pitchSemitones, in: 12...108)
    try require("glideMs", glideMs, in: 0...2_000)
    try require("onsetMs", onsetMs, in: 10...2_000)
    for point in bend {
      try require("bend.position", point.position, in: 0...1)
      try require("bend.semitones", point.semitones, in: -24...24)
    }
    try vibrato.validate()
    try dynamics.validate()
    try phonation?.validate()
  }
}

/// A deviation from a note's pitch.
public struct BendPoint: Codable, Equatable, Sendable {
  /// Position in the note: 0 at its start, 1 at its end.
  public var position: Double
  public var semitones: Double

  public init(at position: Double, semitones: Double) {
    (self.position, self.semitones) = (position, semitones)
  }
}

/// A periodic modulation of pitch, level and timbre.
public struct Vibrato: Codable, Equatable, Sendable {
  public var rateHz = 5.5
  /// Maximum deviation from the pitch; 0 is a straight tone.
  public var extentCents = 0.0
  /// Time before the vibrato begins.
  public var delayMs = 250.0
  /// Time in which it then grows to `extentCents`.
  public var growMs = 400.0
  /// Maximum deviation of the loudness, which also changes the timbre.
  public var levelDb = 1.5

  public init(extentCents: Double = 0, rateHz: Double = 5.5) {
    (self.extentCents, self.rateHz) = (extentCents, rateHz)
  }

  func validate() throws(SingerError) {
    try require("rateHz", rateHz, in: 0.1...20)
    try require("extentCents", extentCents, in: 0...400)
    try require("delayMs", delayMs, in: 0...60_000)
    try require("growMs", growMs, in: 1...60_000)
    try require("levelDb", levelDb, in: 0...12)
  }
}

/// The loudness along a note; 0 dB is mezzo forte. Louder is also brighter.
public struct Dynamics: Codable, Equatable, Sendable {
  public var startDb: Double
  public var peakDb: Double
  public var endDb: Double
  /// Position of the peak: 0 at the start of the note, 1 at its end.
  public var peakPosition: Double

  public init(
    startDb: Double = -1.5, peakDb: Double = 0, endDb: Double = -2, peakPosition: Double = 0.35
  ) {
    (self.startDb, self.peakDb, self.endDb) = (startDb, peakDb, endDb)
    self.peakPosition = peakPosition
  }

  /// Constant loudness.
  public static func level(_ db: Double) -> Dynamics {
    Dynamics(startDb: db, peakDb: db, endDb: db)
  }

  func validate() throws(SingerError) {
    try require("startDb", startDb, in: -40...12)
    try require("peakDb", peakDb, in: -40...12)
    try require("endDb", endDb, in: -40...12)
    try require("peakPosition", peakPosition, in: 0...1)
  }
}

/// The manner in which phonation begins.
public enum Onset: String, Codable, CaseIterable, Sendable {
  case plain
  /// Breath first, tone later.
  case breathy
  /// Slow irregular pulses an octave lower that settle into the tone.
  case creaky
  /// A glottal attack: immediately loud and bright.
  case hard
}
