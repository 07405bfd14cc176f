import DSP
import Effects

/// A sound by name: what becomes of a voice from the auto-tuner through the choir to the effects.
public struct Preset: Codable, Equatable, Sendable {
  /// Name in lists and on command lines: lower case, words joined by '-'.
  public var name: String
  /// One line on how it sounds.
  public var summary: String
  /// Speed of a recording: 2 is half as long and an octave higher. Live sound keeps its own.
  public var speed = 1.0
  public var autotuner: AutoTuner.Settings?
  public var harmonizer: Harmonizer.Settings?
  public var effects: EffectChain

  public init(
    _ name: String, _ summary: String, speed: Double = 1, autotuner: AutoTuner.Settings? = nil,
    harmonizer: Harmonizer.Settings? = nil, effects: EffectChain = EffectChain()
  ) {
    (self.name, self.summary, self.speed) = (name, summary, speed)
    (self.autotuner, self.harmonizer, self.effects) = (autotuner, harmonizer, effects)
  }

  public func validate() throws(SettingsError) {
    try require("speed", speed, in: Self.speeds)
    try autotuner?.validate()
    try harmonizer?.validate()
    try effects.validate()
  }

  static let speeds = 0.25...4.0

  /// A recording at the preset's speed, as a tape that runs faster or slower: pitch and formants
  /// move along. All else of the preset is `PresetPlayer`'s.
  public func varispeed(_ recording: Signal) -> Signal {
    let squeezed = recording.resampled(to: recording.sampleRateHz / speed)
    return Signal(squeezed.samples, sampleRateHz: recording.sampleRateHz)
  }
}
