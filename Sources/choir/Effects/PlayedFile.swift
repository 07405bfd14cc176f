import AudioFile
import CommandSupport
import DSP
import Foundation
import Harmonizer
import Platform
import Subjects

/// A recording processed by a preset, block by block as on an audio thread.
struct PlayedFile {
  /// Figures of the rendering, for `--json`.
  struct Facts: Encodable {
    var schema = "choir.played/1"
    var preset: String
    var effects: String
    var seconds: Double
    var latencyMs: Double
    var leadLatencyMs: Double
    var tailSeconds: Double
    var realtimeFactor: Double
  }

  /// The stereo output.
  let sound: AudioFile
  let facts: Facts

  /// - Parameter keepingTail: true continues after the input's end until the tail has ended.
  init(_ source: AudioFile, _ preset: Preset, blockSize: Int, keepingTail: Bool) throws {
    let rateHz = source.sampleRateHz
    let player = try PresetPlayer(preset, sampleRateHz: rateHz)
    let extra = keepingTail ? player.latencySamples + player.tailSamples : 0
    let rest = [Float](repeating: 0, count: extra)
    // A recording of more than two channels is averaged.
    let isStereo = source.channels.count == 2
    var left = preset.varispeed(isStereo ? source.channel(0) : source.mono).samples + rest
    var right = isStereo ? preset.varispeed(source.channel(1)).samples + rest : left
    let before = ThreadClock.seconds
    player.process(&left, &right, blockSize: blockSize)
    let spent = ThreadClock.seconds - before
    let seconds = Double(left.count) / rateHz
    sound = AudioFile(channels: [left, right], sampleRateHz: rateHz)
    facts = Facts(
      preset: preset.name, effects: "\(preset.effects)", seconds: seconds,
      latencyMs: Double(player.latencySamples) / rateHz * 1000,
      leadLatencyMs: Double(player.leadLatencySamples) / rateHz * 1000,
      tailSeconds: Double(player.tailSamples) / rateHz,
      realtimeFactor: spent / max(seconds, 1e-9))
  }

  /// The figures in one line.
  var summary: String {
    "\(format(facts.seconds, 2)) s, latency \(format(facts.latencyMs, 1)) ms, tail "
      + "\(format(facts.tailSeconds, 2)) s, real-time factor \(format(facts.realtimeFactor, 4))"
  }

  func write(to path: String) throws {
    Terminal.warnOfClipping(
      try sound.write(to: path), in: path, "write .wav, or add '> limiter' to the chain")
  }
}
