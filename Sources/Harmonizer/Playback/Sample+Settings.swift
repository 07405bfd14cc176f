import DSP
import Music

extension Sample {
  /// Settings. Times are those of the recording, whatever the crop and the speed.
  public struct Settings: Codable, Equatable, Sendable {
    public var startSeconds = 0.0
    /// The recording's end unless given.
    public var endSeconds: Double?
    /// Longest move of an edge that cuts the recording to a zero crossing; 0 leaves it.
    public var snapMs = 5.0
    /// Length of the rise at the beginning and the fall at the end; 0 leaves the samples as they
    /// are.
    public var fadeMs = 2.0
    /// 2 is twice as fast and an octave up, 0.5 half as fast and an octave down.
    public var speed = 1.0
    public var gainDb = 0.0
    /// Part that is repeated while a key is held; none unless given.
    public var loop: Loop?

    public init() {}

    public func validate() throws(SettingsError) {
      try require("startSeconds", startSeconds, in: 0...86_400)
      if let endSeconds { try require("endSeconds", endSeconds, in: 0...86_400) }
      try require("snapMs", snapMs, in: 0...100)
      try require("fadeMs", fadeMs, in: 0...1000)
      try require("speed", speed, in: Sample.speeds)
      try require("gainDb", gainDb, in: -120...40)
      if let loop { try loop.validate() }
    }
  }

  /// Part that is repeated.
  public struct Loop: Codable, Equatable, Sendable {
    public var startSeconds: Double
    /// The end of the crop unless given.
    public var endSeconds: Double?
    /// Crossfade from the end into what leads to the start. A loop that begins too early for it
    /// begins later, one that is shorter has a shorter one.
    public var crossfadeMs = 20.0
    /// Longest move of the end to where the sound is most like that around the start; 0 leaves it.
    public var searchMs = 10.0

    public init(startSeconds: Double, endSeconds: Double? = nil) {
      (self.startSeconds, self.endSeconds) = (startSeconds, endSeconds)
    }

    public func validate() throws(SettingsError) {
      try require("loop.startSeconds", startSeconds, in: 0...86_400)
      if let endSeconds { try require("loop.endSeconds", endSeconds, in: 0...86_400) }
      try require("loop.crossfadeMs", crossfadeMs, in: 0...2000)
      try require("loop.searchMs", searchMs, in: 0...100)
    }
  }

  /// Four octaves down to four up.
  public static let speeds = 1.0 / 16...16.0
}

/// Decoding. Omitted settings keep their defaults, so that `{"speed": 0.5}` is a sample's settings.
extension Sample.Settings {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    try container.read(&startSeconds, .startSeconds)
    endSeconds = try container.decodeIfPresent(Double.self, forKey: .endSeconds)
    try container.read(&snapMs, .snapMs)
    try container.read(&fadeMs, .fadeMs)
    try container.read(&speed, .speed)
    try container.read(&gainDb, .gainDb)
    loop = try container.decodeIfPresent(Sample.Loop.self, forKey: .loop)
  }
}

extension Sample.Loop {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(startSeconds: try container.decode(Double.self, forKey: .startSeconds))
    endSeconds = try container.decodeIfPresent(Double.self, forKey: .endSeconds)
    try container.read(&crossfadeMs, .crossfadeMs)
    try container.read(&searchMs, .searchMs)
  }
}
