import DSP

/// An effect of any type, as a rack holds it.
///
/// Calls are virtual and neither allocate nor lock. It is made and released off the audio thread.
public class RunningEffect {
  public var latencySamples: Int { fatalError("made by RunningEffect.running") }
  public var tailSamples: Int { fatalError("made by RunningEffect.running") }
  public func reset() { fatalError("made by RunningEffect.running") }
  /// - Returns: true if these are settings of this effect's type; otherwise nothing has changed.
  public func apply(_ settings: any EffectSettings) -> Bool { false }
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    fatalError("made by RunningEffect.running")
  }

  fileprivate init() {}

  public static func running<Kind: Effect & ~Copyable>(
    _ kind: Kind.Type, _ settings: Kind.Settings, sampleRateHz: Double
  ) throws(SettingsError) -> RunningEffect {
    try settings.validate()
    return RunningEffectOf(try Kind(settings, sampleRateHz: sampleRateHz))
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
