import AudioFile
import DSP
import Effects
import Harmonizer
import Platform

/// The stages of a preset before and after a choir or a tuner that is described otherwise.
package struct AroundEffects {
  package var before: PresetPlayer?
  package var after: PresetPlayer?

  package init() {}

  /// - Parameter tuning: true puts the preset's tuner before; false puts its choir after.
  package init(of preset: Preset, tuning: Bool, sampleRateHz: Double) throws(SettingsError) {
    func player(_ preset: Preset) throws(SettingsError) -> PresetPlayer? {
      let isNothing =
        preset.autotuner == nil && preset.harmonizer == nil && preset.effects.stages.isEmpty
      return isNothing ? nil : try PresetPlayer(preset, sampleRateHz: sampleRateHz)
    }
    var (before, after) = (preset, preset)
    (before.harmonizer, before.effects) = (nil, EffectChain())
    after.autotuner = nil
    if tuning { after.harmonizer = nil } else { before.autotuner = nil }
    (self.before, self.after) = (try player(before), try player(after))
  }

  /// Applies the stages before, in place.
  package func tune(_ voice: inout [Float]) {
    guard var before else { return }
    voice = before.render(voice)
  }

  /// Applies the stages after, in place. A mono sound is on the left and comes out on both sides.
  package func finish(_ left: inout [Float], _ right: inout [Float], isStereo: Bool) {
    guard let after, !left.isEmpty else { return }
    if !isStereo { right = left }
    after.process(&left, &right, blockSize: left.count)
  }

  /// Applies the stages before to a whole recording, with the sound that they still hold at its end.
  package func tuned(_ recording: Signal, cuttingTail: Bool) -> Signal {
    guard let before else { return recording }
    let late =
      cuttingTail
      ? LateSound.none
      : LateSound(
        longestSamples: before.latencySamples + before.tailSamples,
        latencySamples: before.latencySamples)
    var voice = late.followed(recording).samples
    tune(&voice)
    let end = late.end(of: [voice], inputCount: recording.count)
    return Signal(Array(voice.prefix(end)), sampleRateHz: recording.sampleRateHz)
  }

  /// Applies the stages after to a whole sound, with their tail.
  package func finished(_ sound: AudioFile, cuttingTail: Bool) -> AudioFile {
    guard let after else { return sound }
    let rest = [Float](
      repeating: 0, count: cuttingTail ? 0 : after.latencySamples + after.tailSamples)
    var left = sound.channels[0] + rest
    var right = (sound.channels.count > 1 ? sound.channels[1] : sound.channels[0]) + rest
    after.process(&left, &right, blockSize: 128)
    return AudioFile(channels: [left, right], sampleRateHz: sound.sampleRateHz)
  }

  /// Latency and tail in words, to end a line with.
  package func summary(_ sampleRateHz: Double) -> String {
    guard let after else { return "" }
    let late = Double((before?.latencySamples ?? 0) + after.latencySamples) / sampleRateHz * 1000
    return "; effects: latency \(fixed(late, 1)) ms, tail "
      + "\(fixed(Double(after.tailSamples) / sampleRateHz, 2)) s"
  }
}
