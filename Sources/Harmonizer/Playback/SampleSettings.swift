import DSP
import Music

extension Sample {
  /// Settings. Times are those of the recording, whatever the crop and the speed.
  public struct Settings: ParameterizedSettings {
    public var startSeconds = 0.0
    /// The recording's end unless given.
    public var endSeconds: Double?
    public var snapMs = 5.0
    public var fadeMs = 2.0
    public var speed = 1.0
    public var gainDb = 0.0
    /// Part that is repeated while a key is held; none unless given.
    public var loop: Loop?

    public static let parameters: [Parameter<Settings>] = [
      .init(
        "startSeconds", \.startSeconds, in: 0...86_400, "start of the part to play, in seconds"),
      .init(
        "endSeconds", optional: \.endSeconds, in: 0...86_400, "end of the part to play, in seconds"),
      .init(
        "snapMs", \.snapMs, in: 0...100,
        "longest move of an edge that cuts the recording to a zero crossing"),
      .init("fadeMs", \.fadeMs, in: 0...1000, "rise at the beginning and fall at the end"),
      .init("speed", \.speed, in: Sample.speeds, "speed; 2 is half as long and an octave up"),
      .init("gainDb", \.gainDb, in: -120...40, "level"),
      .init("loop", optionalPart: \.loop),
    ]

    public init() {}
  }

  /// Part that is repeated.
  public struct Loop: ParameterizedSettings {
    public var startSeconds = 0.0
    /// The end of the crop unless given.
    public var endSeconds: Double?
    public var crossfadeMs = 20.0
    public var searchMs = 10.0

    public static let parameters: [Parameter<Loop>] = [
      .init("startSeconds", required: \.startSeconds),
      .init("endSeconds", optionalPart: \.endSeconds),
      .init(
        "crossfadeMs", \.crossfadeMs, in: 0...2000,
        """
        crossfade from the end into what leads to the start: a loop that begins too early for it begins \
        later, one that is shorter has a shorter one
        """),
      .init(
        "searchMs", \.searchMs, in: 0...100,
        "longest move of the end to where the sound is most like that around the start"),
    ]

    public init() {}

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
