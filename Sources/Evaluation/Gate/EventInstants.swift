/// The instants of rare events in one cell of the candidate: clicks, wrong octaves, lost frames.
public struct EventInstants: Codable, Equatable, Sendable {
  public struct Instant: Codable, Equatable, Sendable {
    public var atSeconds: Double
    /// Label of the voice in the score; `nil` for the whole sound.
    public var voice: String?
    /// The finding in words.
    public var words: String

    public init(atSeconds: Double, voice: String?, words: String) {
      (self.atSeconds, self.voice, self.words) = (atSeconds, voice, words)
    }
  }

  public var metric: String
  public var recording: String
  public var condition: String
  /// Sorted by time.
  public var instants: [Instant]

  public init(metric: String, recording: String, condition: String, instants: [Instant]) {
    (self.metric, self.recording, self.condition) = (metric, recording, condition)
    self.instants = instants
  }
}
