import DSP
import Effects

/// A preset, running: the auto-tuner, then the choir, then the effects.
///
/// - Allocates: in `init` only.
final class PresetUnit: StereoUnit {
  private var tuner: AutoTuner?
  private var choir: Harmonizer?
  private let effects: EffectsGraph
  private let choirIsStereo: Bool
  private let choirTailSamples: Int
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
    choirIsStereo = preset.harmonizer?.isStereo ?? false
    choirTailSamples =
      preset.harmonizer.map { Int($0.tailMs / 1000 * sampleRateHz) } ?? 0
    if let settings = preset.autotuner {
      let made = try AutoTuner(settings, sampleRateHz: sampleRateHz)
      tunerLatency = made.latencySamples
      tuner = consume made
    }
    if let settings = preset.harmonizer {
      let made = try Harmonizer(settings, sampleRateHz: sampleRateHz)
      choirLatency = made.latencySamples
      choir = consume made
    }
  }

  /// Latency of the lead itself, where the choir lets it through.
  var leadLatencySamples: Int { tunerLatency + effects.latencySamples }

  override var latencySamples: Int { leadLatencySamples + choirLatency }
  override var tailSamples: Int { choirTailSamples + effects.tailSamples }

  override func reset() {
    tuner?.reset()
    choir?.reset()
    effects.reset()
  }

  func press(_ key: Int, velocity: Int) {
    tuner?.press(key)
    choir?.press(key, velocity: velocity)
  }

  func release(_ key: Int) {
    tuner?.release(key)
    choir?.release(key)
  }

  func releaseAll() {
    tuner?.releaseAll()
    choir?.releaseAll()
  }

  func setPedal(isDown: Bool) {
    tuner?.setPedal(isDown: isDown)
    choir?.setPedal(isDown: isDown)
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
    if choir != nil, choirIsStereo {
      Self.harmonize(voice, count, by: &choir!, intoLeft: &left, right: &right)
      return
    }
    if choir != nil {
      Self.harmonize(voice, count, by: &choir!, into: &left)
    } else {
      for i in 0..<count { left[i] = voice[i] }
    }
    for i in 0..<count { right[i] = left[i] }
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
    into output: inout MutableSpan<Float>
  ) {
    choir.process(voice.span.extracting(0..<count), into: &output)
  }

  private static func harmonize(
    _ voice: borrowing RealtimeArray<Float>, _ count: Int, by choir: inout Harmonizer,
    intoLeft left: inout MutableSpan<Float>, right: inout MutableSpan<Float>
  ) {
    var none = MutableSpan<Float>()
    choir.process(
      voice.span.extracting(0..<count), intoLeft: &left, right: &right, stems: &none)
  }
}
