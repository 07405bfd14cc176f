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

  /// - Parameter observer: sees the choir on the audio thread.
  public init(
    _ preset: Preset, sampleRateHz: Double, observer: (any ChoirObserver)? = nil
  ) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    (self.preset, self.sampleRateHz, self.observer) = (preset, sampleRateHz, observer)
    delays = unit.delays
    super.init(unit, sampleRateHz: sampleRateHz)
    onUnitStarted = { [keys] unit in
      if let unit = unit as? PresetUnit { keys.pressAll(of: unit) }
    }
  }

  /// Changes to another preset. Of several changes within a block the last counts.
  public func change(to preset: Preset) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    _ = retract()
    self.preset = preset
    delays = unit.delays
    send(unit)
  }

  // MARK: Audio thread

  public override func reset() {
    keys.held.reset()
    super.reset()
  }

  /// Performs a player's action, for the parts that sing held keys and a tuner that follows them.
  @_semantics("no_performance_analysis")
  public func perform(_ action: KeyAction) {
    keys.held.perform(action)
    if case .press(let key, let velocity) = action, (0...127).contains(key) {
      keys.velocities[key] = velocity
    }
    withUnit { ($0 as? PresetUnit)?.perform(action) }
  }
}

/// Keys that are down, for a preset that comes while they are.
private final class PressedKeys {
  var held = HeldKeys()
  /// Velocity of each key's last press.
  var velocities = RealtimeArray<Int>(repeating: 127, count: 128)

  func pressAll(of unit: PresetUnit) {
    unit.perform(.pedal(isDown: held.pedalIsDown))
    for key in 0..<128 {
      for _ in 0..<held.pressCount(of: key) {
        unit.perform(.press(key: key, velocity: velocities[key]))
      }
    }
  }
}
