import DSP
import Effects
import Music

/// Runs a preset on an audio thread: auto-tuner, choir and effects as one, and changes to other
/// presets while sound runs.
///
/// One thread controls (`change`, `collect`, and what is stated of the preset); another makes sound
/// (`process`, `reset` and keys). A change is `CrossfadingSlot`'s: within 20 ms, without a click, the old
/// sound ringing out. Keys that are held go on in the new preset.
///
/// - Allocates: on the control thread.
/// - Input: a voice, nominally ±1. NaN, infinity and samples beyond ±1000 count as 0.
public final class PresetPlayer: CrossfadingSlot, KeyReceiver, @unchecked Sendable {
  private let sampleRateHz: Double
  private let keys = PressedKeys()
  private let observer: (any ChoirObserver)?

  // MARK: Control thread

  public private(set) var preset: Preset
  /// Latency of the choir's voices, or of the voice where there is no choir.
  public override var latencySamples: Int { delays.latency }
  /// Latency of the lead itself, where the choir lets it through beside its voices.
  public var leadLatencySamples: Int { delays.leadLatency }
  /// Longest time it sounds after its input has ended.
  public var tailSamples: Int { delays.tail }
  private var delays: PresetUnit.Delays
  /// The preset of the audio thread, without a change that it has not received.
  private var known: (preset: Preset, effects: EffectsGraph.Plan)
  private var effects: EffectsGraph.Plan

  /// - Parameter observer: sees the choir on the audio thread.
  public init(
    _ preset: Preset, sampleRateHz: Double, observer: (any ChoirObserver)? = nil
  ) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    (self.preset, self.sampleRateHz, self.observer) = (preset, sampleRateHz, observer)
    (delays, effects, known) = (unit.delays, unit.plan, (preset, unit.plan))
    super.init(unit, sampleRateHz: sampleRateHz)
    onUnitStarted = { [keys] unit in
      if let unit = unit as? PresetUnit { keys.pressAll(of: unit) }
    }
  }

  /// Changes to another preset. Of several changes within a block the last counts. Where parameters of
  /// effects are all that differs, they glide.
  public func change(to preset: Preset) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    if retract() == nil { known = (self.preset, effects) }
    (self.preset, effects, delays) = (preset, unit.plan, unit.delays)
    var plain = preset
    plain.effects = known.preset.effects
    send(plain == known.preset ? effects.change(from: known.effects) ?? unit : unit)
  }

  // MARK: Audio thread

  public override func reset() {
    keys.held.reset()
    for key in 0..<128 { keys.bends[key] = 0 }
    super.reset()
  }

  /// Performs a player's action, for the parts that sing held keys and a tuner that follows them.
  @_semantics("no_performance_analysis")
  public func perform(_ action: KeyAction) {
    keys.held.perform(action)
    if case .press(let key, let velocity) = action, (0...127).contains(key) {
      keys.velocities[key] = velocity
    }
    if case .bend(let key, let semitones) = action, (0...127).contains(key) {
      keys.bends[key] = semitones
    }
    withUnit { ($0 as? PresetUnit)?.perform(action) }
  }
}

/// Keys that are down, for a preset that comes while they are.
private final class PressedKeys {
  var held = HeldKeys()
  /// Velocity of each key's last press.
  var velocities = RealtimeArray<Int>(repeating: 127, count: 128)
  /// Last bend of each key, in semitones.
  var bends = RealtimeArray<Double>(repeating: 0, count: 128)

  /// Lets all sound that sounds: what only pedal or latch hold is pressed and released under the pedal.
  func pressAll(of unit: PresetUnit) {
    unit.perform(.latch(isOn: held.latches))
    unit.perform(.pedal(isDown: true))
    for key in 0..<128 {
      if bends[key] != 0 { unit.perform(.bend(key: key, semitones: bends[key])) }
      let count = held.pressCount(of: key)
      for _ in 0..<max(count, held.isSounding(key) ? 1 : 0) {
        unit.perform(.press(key: key, velocity: velocities[key]))
      }
      if count == 0, held.isSounding(key) { unit.perform(.release(key: key)) }
    }
    if !held.pedalIsDown { unit.perform(.pedal(isDown: false)) }
  }
}
