import DSP
import Effects
import Foundation

/// A sound by name: what becomes of a voice from the auto-tuner through the choir to the effects.
public struct Preset: ParameterizedSettings {
  /// Name in lists and on command lines: lower case, words joined by '-'.
  public var name = ""
  /// One line on how it sounds.
  public var summary = ""
  public var speed = 1.0
  public var autotuner: AutoTuner.Settings?
  public var harmonizer: Harmonizer.Settings?
  public var effects = EffectChain()

  public static let parameters: [Parameter<Preset>] = [
    .init("name", required: \.name), .init("summary", part: \.summary),
    .init(
      "speed", \.speed, in: 0.25...4,
      "speed of a recording: 2 is half as long and an octave higher; live sound keeps its own"),
    .init("autotuner", optionalPart: \.autotuner), .init("harmonizer", optionalPart: \.harmonizer),
    .init("effects", part: \.effects),
  ]

  public init() {}

  public init(
    _ name: String, _ summary: String, speed: Double = 1, autotuner: AutoTuner.Settings? = nil,
    harmonizer: Harmonizer.Settings? = nil, effects: EffectChain = EffectChain()
  ) {
    (self.name, self.summary, self.speed) = (name, summary, speed)
    (self.autotuner, self.harmonizer, self.effects) = (autotuner, harmonizer, effects)
  }

  public init(from decoder: any Decoder) throws {
    try self.init(parametersFrom: decoder)
    do { try validate() } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  public func validate() throws(SettingsError) {
    try validateParameters()
    try effects.validate()
  }

  /// Reads JSON, as `json` writes it or a person does. Omitted settings keep their defaults; an unknown
  /// key is an error, however deep it lies.
  public init(json: Data) throws { self = try JSONDecoder().decode(Preset.self, from: json) }

  /// All its settings, for people to read and change.
  public var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// A recording at the preset's speed, as a tape that runs faster or slower: pitch and formants
  /// move along. All else of the preset is `PresetPlayer`'s.
  public func varispeed(_ recording: Signal) -> Signal {
    let squeezed = recording.resampled(to: recording.sampleRateHz / speed)
    return Signal(squeezed.samples, sampleRateHz: recording.sampleRateHz)
  }
}
