import DSP

/// The settings of an effect.
public protocol EffectSettings: ParameterizedSettings {
  /// The effect's name in chains, in lower case.
  static var effect: String { get }
  /// The effect in a line.
  static var summary: String { get }
  /// The default share of wet sound, from 0 to 1.
  static var defaultMix: Double { get }

  /// Makes an effect with these settings, which are valid.
  func running(at rateHz: Double) -> RunningEffect
}

extension EffectSettings {
  public static var defaultMix: Double { 1 }

  /// Makes an effect with these settings, ready to run.
  public func makeRunning(sampleRateHz: Double) throws(SettingsError) -> RunningEffect {
    try validate()
    return running(at: sampleRateHz)
  }

  /// Tells whether `other` is of the same effect and equal.
  func equals(_ other: any EffectSettings) -> Bool { (other as? Self) == self }
}

/// An effect of any type, as a rack holds it.
///
/// Calls are virtual and neither allocate nor lock. It is made and released off the audio thread.
public class RunningEffect: StereoUnit {
  /// - Returns: true if these are settings of this effect's type; otherwise nothing has changed.
  public func apply(_ settings: any EffectSettings) -> Bool { false }

  public static func of<Kind: Effect & ~Copyable>(
    _ kind: Kind.Type, _ settings: Kind.Settings, _ rateHz: Double
  ) -> RunningEffect {
    RunningEffectOf(Kind(settings, sampleRateHz: rateHz))
  }
}

private final class RunningEffectOf<Kind: Effect & ~Copyable>: RunningEffect {
  private var effect: Kind

  init(_ effect: consuming Kind) { self.effect = effect }

  override var latencySamples: Int { effect.latencySamples }
  override var tailSamples: Int { effect.tailSamples }
  override func reset() { effect.reset() }
  override func apply(_ settings: any EffectSettings) -> Bool {
    guard let settings = settings as? Kind.Settings else { return false }
    effect.apply(settings)
    return true
  }
  override func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    effect.process(&left, &right)
  }
}

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
