import DSP
import Effects

/// Runs a preset on an audio thread: auto-tuner, choir and effects as one, and goes over to other
/// presets while sound runs.
///
/// One thread controls (`change`, `collect`, and what is stated of the preset); another makes sound
/// (`process`, `reset` and keys). A change is `CrossfadingSlot`'s: within 20 ms, without a click, the old
/// sound ringing out. Keys that are held go on in the new preset.
///
/// - Allocates: where control is.
/// - Input: a voice, nominally ±1. What is no sound counts as 0.
public final class PresetPlayer: BlockProcessor, @unchecked Sendable {
  private let sampleRateHz: Double
  private let sound: CrossfadingSlot
  private let keys = HeldDown()

  // MARK: Where control is

  public private(set) var preset: Preset
  /// Of the choir's voices, or of the voice where there is no choir.
  public private(set) var latencySamples: Int
  /// Of the lead itself, where the choir lets it through beside its voices.
  public private(set) var leadLatencySamples: Int
  /// How long it sounds after its input has ended, at most.
  public private(set) var tailSamples: Int

  public init(_ preset: Preset, sampleRateHz: Double) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz)
    (self.preset, self.sampleRateHz) = (preset, sampleRateHz)
    latencySamples = unit.latencySamples
    leadLatencySamples = unit.leadLatencySamples
    tailSamples = unit.tailSamples
    sound = CrossfadingSlot(unit, sampleRateHz: sampleRateHz)
    sound.welcome = { [keys] unit in
      if let unit = unit as? PresetUnit { keys.pressAll(of: unit) }
    }
  }

  /// Goes over to another preset. Of several changes that come faster than blocks do the last counts.
  public func change(to preset: Preset) throws(SettingsError) {
    let unit = try PresetUnit(preset, sampleRateHz: sampleRateHz)
    _ = sound.retract()
    self.preset = preset
    latencySamples = unit.latencySamples
    leadLatencySamples = unit.leadLatencySamples
    tailSamples = unit.tailSamples
    sound.hand(unit)
  }

  /// Releases what the audio thread is done with.
  public func collect() { sound.collect() }

  // MARK: Where sound is

  public func reset() {
    keys.releaseAll()
    sound.reset()
  }

  /// For the parts that sing what is held, and a tuner that goes by keys.
  public func press(_ key: Int, velocity: Int = 127) {
    guard (0...127).contains(key) else { return }
    keys.velocities[key] = UInt8(clamping: max(1, velocity))
    sound.withUnit { ($0 as? PresetUnit)?.press(key, velocity: velocity) }
  }

  public func release(_ key: Int) {
    guard (0...127).contains(key) else { return }
    keys.velocities[key] = 0
    sound.withUnit { ($0 as? PresetUnit)?.release(key) }
  }

  public func setPedal(isDown: Bool) {
    keys.pedalIsDown = isDown
    sound.withUnit { ($0 as? PresetUnit)?.setPedal(isDown: isDown) }
  }

  /// In place; both have the same count.
  public func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    sound.process(&left, &right)
  }

  /// A whole sound in place, in blocks as on an audio thread. For offline use.
  public func process(_ left: inout [Float], _ right: inout [Float], blockSize: Int) {
    sound.process(&left, &right, blockSize: blockSize)
  }

  /// One channel: the mean of what both give.
  @_semantics("no_performance_analysis")
  public func process(_ input: Span<Float>, into output: inout MutableSpan<Float>) {
    sound.process(input, into: &output)
  }
}

/// Which keys are down, for a preset that comes while they are.
private final class HeldDown {
  /// 0 is up.
  let velocities = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 128)
  var pedalIsDown = false

  init() { velocities.initialize(repeating: 0) }
  deinit { velocities.deallocate() }

  func releaseAll() {
    for key in 0..<128 { velocities[key] = 0 }
    pedalIsDown = false
  }

  func pressAll(of unit: PresetUnit) {
    unit.setPedal(isDown: pedalIsDown)
    for key in 0..<128 where velocities[key] > 0 {
      unit.press(key, velocity: Int(velocities[key]))
    }
  }
}
