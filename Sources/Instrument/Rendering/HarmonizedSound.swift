import AudioFile
import DSP
import Harmonizer
import Platform
import Subjects

/// A recording with its choir, rendered block by block as on an audio thread, until the choir is
/// silent.
package struct HarmonizedSound {
  /// The mix: mono, or stereo if voices are spread.
  package let mix: AudioFile
  /// Stems of the voices; empty unless kept.
  package let stems: [[Float]]
  package let log: TruthLog?
  /// The figures of the rendering in one line.
  package let summary: String

  /// - Parameter cuttingTail: true ends the output with the recording.
  package init(
    _ source: Signal, _ choir: consuming ScoredChoir, isStereo: Bool, blockSize: Int,
    keepingStems: Bool, cuttingTail: Bool
  ) {
    let voices = choir.voiceCount
    let late =
      cuttingTail
      ? LateSound.none
      : LateSound(longestSamples: choir.tailSamples, latencySamples: choir.latencySamples)
    let followed = late.followed(source)
    var choir = choir
    let before = ThreadClock.seconds
    let (channels, stems) = choir.render(
      followed, blockSize: blockSize, isStereo: isStereo, keepingStems: keepingStems)
    let cpuSeconds = ThreadClock.seconds - before + choir.preparationSeconds
    let factor = cpuSeconds / max(source.durationSeconds, 1e-9)
    let end = late.end(of: channels + stems, inputCount: source.count)
    mix = AudioFile(
      channels: channels.map { Array($0.prefix(end)) }, sampleRateHz: source.sampleRateHz)
    self.stems = stems.map { Array($0.prefix(end)) }
    log = choir.log
    func ms(_ samples: Int) -> String {
      fixed(Double(samples) / source.sampleRateHz * 1000, 1)
    }
    let byNote = Self.byNote(choir.latencyByNote)
    let delay = choir.isOffline ? "offline" : "latency \(ms(choir.latencySamples)) ms\(byNote)"
    let control =
      choir.controlLatencySamples > 0
      ? "pitch tracker latency \(ms(choir.controlLatencySamples)) ms, " : ""
    summary =
      "\(counted(voices, "voice")), \(fixed(source.durationSeconds, 2)) s, "
      + "\(delay), \(control)real-time factor \(fixed(factor, 4))"
  }

  /// The stated latency of the lowest and the highest note.
  private static func byNote(_ notes: [LatencyByNote]) -> String {
    guard let low = notes.first, let high = notes.last else { return "" }
    func range(_ note: LatencyByNote) -> String {
      "\(fixed(note.leastMs, 1)) to \(fixed(note.mostMs, 1)) ms at \(fixed(note.noteHz, 0)) Hz"
    }
    return " (by note and shift: \(range(low)), \(range(high)))"
  }
}
