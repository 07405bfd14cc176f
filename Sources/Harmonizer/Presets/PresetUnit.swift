import DSP
import Effects
import Music

/// A preset, running: the auto-tuner, then the choir, then the effects.
///
/// - Allocates: in `init` only.
final class PresetUnit: StereoUnit {
  private var tuner: AutoTuner?
  private var choir: Harmonizer?
  private let effects: EffectsGraph
  override var graph: EffectsGraph? { effects }
  let plan: EffectsGraph.Plan
  private let choirIsStereo: Bool
  /// Tails of tuner and choir together.
  private var voiceTailSamples = 0
  private var tunerLatency = 0
  private var choirLatency = 0
  private let observer: (any ChoirObserver)?
  private var voice = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)
  private var tuned = RealtimeArray<Float>(count: CrossfadingSlot.longestStretch)

  init(
    _ preset: Preset, sampleRateHz: Double, observer: (any ChoirObserver)? = nil
  ) throws(SettingsError) {
    try preset.validate()
    self.observer = observer
    effects = try EffectsGraph(preset.effects, sampleRateHz: sampleRateHz)
    plan = EffectsGraph.Plan(preset.effects, effects)
    choirIsStereo = preset.harmonizer?.isStereo ?? false
    if let settings = preset.autotuner {
      let made = try AutoTuner(settings, sampleRateHz: sampleRateHz)
      tunerLatency = made.latencySamples
      voiceTailSamples += Int(settings.engine.swayMs / 1000 * sampleRateHz)
      tuner = consume made
    }
    if let settings = preset.harmonizer {
      let made = try Harmonizer(settings, sampleRateHz: sampleRateHz)
      choirLatency = made.latencySamples
      voiceTailSamples += Int(settings.tailMs / 1000 * sampleRateHz)
      choir = consume made
    }
  }

  /// The stated delays of a running preset, in samples.
  struct Delays {
    var latency: Int
    /// Latency of the lead itself, where the choir lets it through.
    var leadLatency: Int
    var tail: Int
  }

  var delays: Delays {
    let lead = tunerLatency + effects.latencySamples
    return Delays(
      latency: lead + choirLatency, leadLatency: lead,
      tail: voiceTailSamples + effects.tailSamples)
  }

  override var latencySamples: Int { delays.latency }
  override var tailSamples: Int { delays.tail }

  override func reset() {
    tuner?.reset()
    choir?.reset()
    effects.reset()
  }

  func perform(_ action: KeyAction) {
    tuner?.perform(action)
    choir?.perform(action)
  }

  override func process(_ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>) {
    let count = left.count
    if tuner != nil || choir != nil { sing(&left, &right, count) }
    effects.process(&left, &right)
  }

  /// A voice is one sound: the mean of the channels.
  private func sing(
    _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>, _ count: Int
  ) {
    for i in 0..<count { voice[i] = 0.5 * (left[i] + right[i]) }
    if tuner != nil {
      Self.tune(voice, count, by: &tuner!, into: &tuned)
      for i in 0..<count { voice[i] = tuned[i] }
    }
    if let observer, choir != nil { Self.show(choir!, to: observer) }
    if choir != nil {
      Self.harmonize(voice, count, by: &choir!, isStereo: choirIsStereo, &left, &right)
    } else {
      for i in 0..<count { left[i] = voice[i] }
    }
    if choir == nil || !choirIsStereo { for i in 0..<count { right[i] = left[i] } }
  }

  // Where spans of buffers are cut, which a class can't do with what it holds.

  private static func show(_ choir: borrowing Harmonizer, to observer: any ChoirObserver) {
    observer.observe(choir)
  }

  private static func tune(
    _ voice: borrowing RealtimeArray<Float>, _ count: Int, by tuner: inout AutoTuner,
    into tuned: inout RealtimeArray<Float>
  ) {
    var output = tuned.mutablePrefix(count)
    tuner.process(voice.span.extracting(0..<count), into: &output)
  }

  private static func harmonize(
    _ voice: borrowing RealtimeArray<Float>, _ count: Int, by choir: inout Harmonizer,
    isStereo: Bool, _ left: inout MutableSpan<Float>, _ right: inout MutableSpan<Float>
  ) {
    let input = voice.span.extracting(0..<count)
    guard isStereo else { return choir.process(input, into: &left) }
    var none = MutableSpan<Float>()
    choir.process(input, intoLeft: &left, right: &right, stems: &none)
  }
}

/// Observes the choir of a running preset on the audio thread, before each stretch of sound.
///
/// Both choirs are observed while one preset fades into another.
public protocol ChoirObserver: AnyObject, Sendable {
  /// Restricted like `process`: no allocation, no lock.
  func observe(_ choir: borrowing Harmonizer)
}
