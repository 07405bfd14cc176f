/// One sung note: its pitch and time, and how it is sung.
public struct Note: Codable, Equatable, Sendable {
  public var startSeconds: Double
  public var durationSeconds: Double
  /// Note number, 69 = A4; fractions lie between the keys.
  public var pitchSemitones: Double
  /// Length of the glide from the note before, centred on the start; none after a rest.
  public var glideMs = 60.0
  /// Detours from the pitch along the note, for scoops and spoken melody; smooth between points.
  public var bend: [BendPoint] = []
  public var vibrato = Vibrato()
  public var dynamics = Dynamics()
  public var onset = Onset.plain
  /// How long the manner of the onset lasts.
  public var onsetMs = 180.0
  /// How the vocal folds work on this note; nil is the voice's own way.
  public var phonation: Phonation?
  /// What is sung on it, for people to read.
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

/// A detour from a note's pitch.
public struct BendPoint: Codable, Equatable, Sendable {
  /// 0 at the start of the note, 1 at its end.
  public var position: Double
  public var semitones: Double

  public init(at position: Double, semitones: Double) {
    (self.position, self.semitones) = (position, semitones)
  }
}

/// A regular wave of the pitch, with which level and timbre sway.
public struct Vibrato: Codable, Equatable, Sendable {
  public var rateHz = 5.5
  /// Largest departure from the pitch, to either side; 0 is a straight tone.
  public var extentCents = 0.0
  /// Straight time before the vibrato begins.
  public var delayMs = 250.0
  /// Time in which it then grows to `extentCents`.
  public var growMs = 400.0
  /// Largest departure of the loudness, which takes the timbre with it.
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

/// The loudness along a note, 0 dB being mezzo forte. Louder is also brighter.
public struct Dynamics: Codable, Equatable, Sendable {
  public var startDb: Double
  public var peakDb: Double
  public var endDb: Double
  /// Where the peak lies: 0 at the start of the note, 1 at its end.
  public var peakPosition: Double

  public init(
    startDb: Double = -1.5, peakDb: Double = 0, endDb: Double = -2, peakPosition: Double = 0.35
  ) {
    (self.startDb, self.peakDb, self.endDb) = (startDb, peakDb, endDb)
    self.peakPosition = peakPosition
  }

  /// The same loudness from end to end.
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

/// How the vocal folds set in.
public enum Onset: String, Codable, CaseIterable, Sendable {
  case plain
  /// Air first, tone later.
  case breathy
  /// Slow irregular pulses an octave below that settle into the tone.
  case creaky
  /// A glottal attack: loud and bright at once.
  case hard
}
