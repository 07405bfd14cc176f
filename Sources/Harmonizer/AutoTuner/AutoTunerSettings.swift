import Analyzer
import DSP

extension AutoTuner {
  /// Settings; every report has a copy.
  public struct Settings: ParameterizedSettings {
    public var target = TuningTarget.heldKeys(.asPlayed)
    public var correction = PitchCorrection()
    /// The vibrato of `PitchCorrection.VibratoPolicy.rebuild`.
    public var vibrato = Vibrato.Settings { $0.extentCents = 50 }
    public var tuning = Tuning()
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    public var lookAheadMs = 10.0
    public var lowDelay = false
    public var engine = Self.defaultEngine

    public static let parameters: [Parameter<Settings>] = [
      .init("target", required: \.target), .init("correction", part: \.correction),
      .init("vibrato", part: \.vibrato), .init("tuning", part: \.tuning),
      .init("floorHz", \.floorHz, in: 40...600, "lowest pitch of the voice"),
      .init("ceilingHz", \.ceilingHz, in: 80...1600, "highest pitch of the voice"),
      .init(
        "lookAheadMs", \.lookAheadMs, in: 0...60,
        "look-ahead of the pitch tracker; not with low delay"),
      .init(
        "lowDelay", \.lowDelay,
        "the sound has the delay of the engine alone, and corrections come 9 to 13 ms later, less it"
      ),
      .init("engine", part: \.engine),
    ]

    public init() {}

    public init(target: TuningTarget, engine: Engine = Self.defaultEngine) {
      (self.target, self.engine) = (target, engine)
    }

    /// The default: not `Engine.default`, for shifts of parts of a semitone leave formants nearly
    /// where they were, and a delay line passes what has no voice as it is.
    public static var defaultEngine: Engine { Engine(.delayline) }

    public func validate() throws(SettingsError) {
      try validateParameters()
      try tracking.validate()
      try engine.validate()
      if case .tones(let tones) = target {
        try require("the number of tones", Double(tones.count), in: 1...12)
      }
    }

    var tracking: StreamingPitchTracker.Settings {
      var tracking = StreamingPitchTracker.Settings()
      (tracking.floorHz, tracking.ceilingHz) = (floorHz, ceilingHz)
      tracking.lookAheadMs = lowDelay ? 0 : lookAheadMs
      tracking.hopMs = 2.5
      return tracking
    }
  }
}
