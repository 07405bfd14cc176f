import DSP
import Music

extension SamplePlayer {
  /// Settings.
  public struct Settings: Codable, Equatable, Sendable {
    /// The key that plays the sample at its own pitch.
    public var rootNote = NoteNumber(60)
    /// Tuning of the other keys against the root.
    public var tuning = Tuning()
    /// Number of notes held at once, and the choice of the note that gives way to one too many.
    public var voices = VoiceAllocator.Settings(voiceCount: 8)
    public var envelope = Envelope.Settings()
    /// True if a note sounds to the sample's end, without its loop, however soon its key is
    /// released.
    public var playsToEnd = false
    /// Share of the velocity in the level: with 1, half the velocity is half the level.
    public var velocityShare = 0.0
    public var gainDb = 0.0
    /// -1 is left, 1 is right.
    public var pan = 0.0
    /// Distance, in `pan`, of notes two octaves above and below the root.
    public var spread = 0.0

    public init() {}

    public func validate() throws(SettingsError) {
      let notes = NoteNumber.range
      try require("rootNote", rootNote.semitones, in: notes)
      try tuning.validate()
      try voices.validate()
      try envelope.validate()
      try require("velocityShare", velocityShare, in: 0...1)
      try require("gainDb", gainDb, in: -120...40)
      try require("pan", pan, in: -1...1)
      try require("spread", spread, in: 0...2)
    }
  }
}

/// Decoding. Omitted settings keep their defaults, so that `{"rootNote": "A3"}` is a player.
extension SamplePlayer.Settings {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try container.read(&rootNote, .rootNote)
    try container.read(&tuning, .tuning)
    try container.read(&voices, .voices)
    try container.read(&envelope, .envelope)
    try container.read(&playsToEnd, .playsToEnd)
    try container.read(&velocityShare, .velocityShare)
    try container.read(&gainDb, .gainDb)
    try container.read(&pan, .pan)
    try container.read(&spread, .spread)
  }
}
