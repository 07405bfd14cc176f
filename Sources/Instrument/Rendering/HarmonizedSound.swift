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
    let silence = [Float](repeating: 0, count: followed.count)
    var (left, right) = (silence, isStereo ? silence : [])
    var stems = keepingStems ? [[Float]](repeating: silence, count: voices) : []
    var block = [Float](repeating: 0, count: keepingStems ? voices * blockSize : 0)
    let input = followed.samples.span
    let before = ThreadClock.seconds
    for start in stride(from: 0, to: followed.count, by: blockSize) {
      let range = start..<min(start + blockSize, followed.count)
      var leftWhole = left.mutableSpan
      var stemWhole = block.mutableSpan
      var leftPart = leftWhole._mutatingExtracting(range)
      var stemPart = stemWhole._mutatingExtracting(0..<(keepingStems ? voices * range.count : 0))
      if isStereo {
        var rightWhole = right.mutableSpan
        var rightPart = rightWhole._mutatingExtracting(range)
        choir.process(
          input.extracting(range), intoLeft: &leftPart, right: &rightPart, stems: &stemPart)
      } else {
        choir.process(input.extracting(range), into: &leftPart, stems: &stemPart)
      }
      for voice in stems.indices {
        for i in 0..<range.count { stems[voice][start + i] = block[voice * range.count + i] }
      }
    }
    let cpuSeconds = ThreadClock.seconds - before + choir.preparationSeconds
    let factor = cpuSeconds / max(source.durationSeconds, 1e-9)
    let channels = isStereo ? [left, right] : [left]
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
