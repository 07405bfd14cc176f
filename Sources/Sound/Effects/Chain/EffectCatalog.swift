/// All effects, by their names in chains.
public enum EffectCatalog {
  /// The settings types of all effects, in the order of lists.
  public static let all: [any EffectSettings.Type] = [
    LowPass.Settings.self, ParametricEQ.Settings.self, FilterLFO.Settings.self,
    Overdrive.Settings.self, Distortion.Settings.self, Bitcrush.Settings.self,
    Compressor.Settings.self, Limiter.Settings.self, Gate.Settings.self, DeEsser.Settings.self,
    Chorus.Settings.self, Vibrato.Settings.self, Tremolo.Settings.self,
    RingModulator.Settings.self, Delay.Settings.self, Echo.Settings.self, Reverb.Settings.self,
    ADSR.Settings.self, StereoWidth.Settings.self, Volume.Settings.self,
  ]

  public static var names: [String] { all.map { $0.effect } }

  /// The default settings of an effect; `nil` if none has that name.
  public static func settings(named name: String) -> (any EffectSettings)? {
    all.first { $0.effect == name }?.init()
  }
}
