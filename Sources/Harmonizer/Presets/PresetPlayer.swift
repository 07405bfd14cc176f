import DSP
import Effects
import Music

/// Runs a preset on an audio thread: auto-tuner, choir and effects as one, and goes over to other
/// presets while sound runs.
///
/// One thread controls (`change`, `collect`, and what is stated of the preset); another makes sound
/// (`process`, `reset` and keys). A change is `CrossfadingSlot`'s: within 20 ms, without a click, the old
/// sound ringing out. Keys that are held go on in the new preset.
///
/// - Allocates: where control is.
/// - Input: a voice, nominally ±1. What is no sound counts as 0.
public final class PresetPlayer: SlotPlayer, @unchecked Sendable {
  private let sampleRateHz: Double
  private let keys = PressedKeys()
  private let observer: (any ChoirObserver)?

  // MARK: Where control is

  public private(set) var preset: Preset
  /// Latency of the choir's voices, or of the voice where there is no choir.
  public override var latencySamples: Int { statedLatency }
  private var statedLatency: Int
  /// Latency of the lead itself, where the choir lets it through beside its voices.
  public private(set) var leadLatencySamples: Int
  /// Longest time it sounds after its input has ended.
  public private(set) var tailSamples: Int

  /// - Parameter observer: sees the choir on the audio thread.
  public init(
    _ preset: Preset, sampleRateHz: Double, observer: (any ChoirObserver)? = nil
  ) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    (self.preset, self.sampleRateHz, self.observer) = (preset, sampleRateHz, observer)
    statedLatency = unit.latencySamples
    leadLatencySamples = unit.leadLatencySamples
    tailSamples = unit.tailSamples
    super.init(unit, sampleRateHz: sampleRateHz)
    sound.welcome = { [keys] unit in
      if let unit = unit as? PresetUnit { keys.pressAll(of: unit) }
    }
  }

  /// Goes over to another preset. Of several changes that come faster than blocks do the last counts.
  public func change(to preset: Preset) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz, observer: observer)
    _ = sound.retract()
    self.preset = preset
    statedLatency = unit.latencySamples
    leadLatencySamples = unit.leadLatencySamples
    tailSamples = unit.tailSamples
    sound.hand(unit)
  }

  // MARK: Where sound is

  public override func reset() {
    keys.held.reset()
    sound.reset()
  }

  /// Presses a key, for the parts that sing what is held and a tuner that goes by keys.
  public func press(_ key: Int, velocity: Int = 127) {
    guard (0...127).contains(key) else { return }
    keys.held.press(key)
    keys.velocities[key] = velocity
    sound.withUnit { ($0 as? PresetUnit)?.press(key, velocity: velocity) }
  }

  public func release(_ key: Int) {
    keys.held.release(key)
    sound.withUnit { ($0 as? PresetUnit)?.release(key) }
  }

  /// Releases every key, however often it was pressed.
  public func releaseAll() {
    keys.held.releaseAll()
    sound.withUnit { ($0 as? PresetUnit)?.releaseAll() }
  }

  public func setPedal(isDown: Bool) {
    keys.held.setPedal(isDown: isDown)
    sound.withUnit { ($0 as? PresetUnit)?.setPedal(isDown: isDown) }
  }
}

/// Keys that are down, for a preset that comes while they are.
private final class PressedKeys {
  var held = HeldKeys()
  /// Velocity of each key's last press.
  var velocities = RealtimeArray<Int>(repeating: 127, count: 128)

  func pressAll(of unit: PresetUnit) {
    unit.setPedal(isDown: held.pedalIsDown)
    for key in 0..<128 {
      for _ in 0..<held.pressCount(of: key) { unit.press(key, velocity: velocities[key]) }
    }
  }
}
