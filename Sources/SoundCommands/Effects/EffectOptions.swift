import ArgumentParser
import AudioFile
import CommandSupport
import DSP
import Effects
import Foundation
import Harmonizer

/// The stages after a choir or a tuner, and before it.
///
/// The command's own flags replace that part of a preset: a choir described by flags gets the
/// preset's auto-tuner before it and its effects after it; a tuner described by flags gets the
/// preset's choir and effects.
struct EffectOptions: ParsableArguments {
  @Option(
    help: """
      Chain of effects to apply afterwards; see choir-eval effects --list. The output has two \
      channels.
      """)
  var effects: String?
  @Option(
    help: "Preset, or JSON file of one (NAME.json), for everything that no flag chooses.",
    completion: .presets)
  var preset: String?

  private var chosen: Preset? {
    get throws {
      var options = ChainOptions()
      (options.chain, options.preset) = (effects, preset)
      return try options.sound()
    }
  }

  func check() throws { _ = try chosen }

  /// Returns the preset's own choir, for a command whose flags choose no notes.
  func choir() throws -> Harmonizer.Settings? { try chosen?.harmonizer }

  /// Returns the recording at the preset's speed.
  func atSpeed(_ recording: Signal) throws -> Signal {
    guard let chosen = try chosen, chosen.speed != 1 else { return recording }
    return chosen.varispeed(recording)
  }

  /// Returns the preset's stages around the part that flags describe.
  ///
  /// - Parameter tuning: true puts the preset's tuner before; false puts its choir after.
  func around(sampleRateHz: Double, tuning: Bool) throws -> AroundEffects {
    guard let chosen = try chosen else { return AroundEffects() }
    func player(_ preset: Preset) throws -> PresetPlayer? {
      let isNothing =
        preset.autotuner == nil && preset.harmonizer == nil && preset.effects.stages.isEmpty
      return isNothing ? nil : try PresetPlayer(preset, sampleRateHz: sampleRateHz)
    }
    var (before, after) = (chosen, chosen)
    (before.harmonizer, before.effects) = (nil, EffectChain())
    after.autotuner = nil
    if tuning { after.harmonizer = nil } else { before.autotuner = nil }
    return AroundEffects(before: try player(before), after: try player(after))
  }
}

/// The stages before and after the part that flags describe.
struct AroundEffects {
  var before: PresetPlayer?
  var after: PresetPlayer?

  /// Applies the stages before, in place.
  func tune(_ voice: inout [Float], count: Int) {
    guard var before else { return }
    let tuned = before.render(Array(voice.prefix(count)))
    voice.replaceSubrange(0..<count, with: tuned)
  }

  /// Applies the stages after, in place. A mono sound is on the left and comes out on both sides.
  func finish(_ left: inout [Float], _ right: inout [Float], count: Int, isStereo: Bool) {
    guard let after, count > 0 else { return }
    if !isStereo { right = left }
    var (l, r) = (Array(left.prefix(count)), Array(right.prefix(count)))
    after.process(&l, &r, blockSize: count)
    left.replaceSubrange(0..<count, with: l)
    right.replaceSubrange(0..<count, with: r)
  }

  /// Applies the stages before to a whole recording, with the sound that they still hold at its end.
  func tuned(_ recording: Signal, cuttingTail: Bool) -> Signal {
    guard let before else { return recording }
    let late =
      cuttingTail
      ? LateSound.none
      : LateSound(
        longestSamples: before.latencySamples + Int(Engine.swayMs / 1000 * recording.sampleRateHz),
        latencySamples: before.latencySamples)
    var voice = late.followed(recording).samples
    tune(&voice, count: voice.count)
    let end = late.end(of: [voice], inputCount: recording.count)
    return Signal(Array(voice.prefix(end)), sampleRateHz: recording.sampleRateHz)
  }

  /// Applies the stages after to a whole sound, with their tail.
  func finished(_ sound: AudioFile, cuttingTail: Bool) -> AudioFile {
    guard let after else { return sound }
    let rest = [Float](
      repeating: 0, count: cuttingTail ? 0 : after.latencySamples + after.tailSamples)
    var left = sound.channels[0] + rest
    var right = (sound.channels.count > 1 ? sound.channels[1] : sound.channels[0]) + rest
    after.process(&left, &right, blockSize: 128)
    return AudioFile(channels: [left, right], sampleRateHz: sound.sampleRateHz)
  }

  /// Latency and tail in words, to end a line with.
  func summary(_ sampleRateHz: Double) -> String {
    guard let after else { return "" }
    let late = Double((before?.latencySamples ?? 0) + after.latencySamples) / sampleRateHz * 1000
    return "; effects: latency \(format(late, 1)) ms, tail "
      + "\(format(Double(after.tailSamples) / sampleRateHz, 2)) s"
  }
}
