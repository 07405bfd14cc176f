import Analyzer
import DSP

extension AutoTuner {
  /// Settings; every report has a copy.
  public struct Settings: Codable, Equatable, Sendable {
    public var target: TuningTarget
    public var correction = PitchCorrection()
    /// The vibrato of `PitchCorrection.VibratoPolicy.rebuild`.
    public var vibrato: Vibrato.Settings
    public var tuning = Tuning()
    /// The pitches that the voice may have.
    public var floorHz = 60.0
    public var ceilingHz = 1200.0
    /// Sound that the tracker may hear beyond the instant it judges.
    public var lookAheadMs = 10.0
    /// Without look-ahead: the sound has the delay of the engine alone, and corrections come after
    /// what they correct, by 9 to 13 ms less that delay.
    public var lowDelay = false
    public var engine: Engine

    public init(target: TuningTarget, engine: Engine = Self.defaultEngine) {
      (self.target, self.engine) = (target, engine)
      vibrato = Vibrato.Settings()
      vibrato.extentCents = 50
    }

    /// The default: not `Engine.default`, for shifts of parts of a semitone leave formants nearly
    /// where they were, and a delay line passes what has no voice as it is.
    public static var defaultEngine: Engine { Engine(.delayline) }

    public func validate() throws(SettingsError) {
      try correction.validate()
      try vibrato.validate()
      try tuning.validate()
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
      return tracking
    }
  }
}
