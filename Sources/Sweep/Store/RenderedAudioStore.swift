import AudioFile
import Corpus
import DSP
import Files
import Foundation
import Metrics
import Subjects

/// Sounds that a plan keeps for listening, as files beside the result store.
package struct RenderedAudioStore: Sendable {
  package let folder: URL

  package init(folder: URL) {
    self.folder = folder
  }

  /// File of the subject's output for a cell.
  func choir(_ key: String) -> URL { folder.appendingPathComponent("\(key.prefix(16)).flac") }

  /// File of the sound that the subject received.
  func input(_ recording: String, condition: String) -> URL {
    let through = condition == Condition.clean.canonical ? "" : "-\(short(condition))"
    return folder.appendingPathComponent("input-\(recording)\(through).flac")
  }

  /// File of the oracle's rendering of a synthetic recording.
  func oracle(_ recording: String, score: Score) -> URL {
    folder.appendingPathComponent("oracle-\(recording)-\(short(score.canonical)).flac")
  }

  /// Writes the sounds of one cell; sounds shared with other cells are written once.
  func keep(
    _ cell: Cell, input heard: Signal, rendering: Rendering, oracle: Oracle?
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try once(input(cell.recording.id, condition: cell.condition.canonical)) { heard }
    if let oracle {
      try once(self.oracle(cell.recording.id, score: cell.score)) {
        oracle.mix.signal.scaled(by: Signal.mixGain(voices: oracle.stems.count))
      }
    }
    let gain = Signal.mixGain(voices: rendering.stems.count)
    try write(rendering.mix.scaled(by: gain), to: choir(cell.key))
  }

  private func once(_ file: URL, _ make: () throws -> Signal) throws {
    guard !FileManager.default.fileExists(atPath: file.path) else { return }
    try write(make(), to: file)
  }

  /// Writes a sound, scaled down if it would clip.
  private func write(_ signal: Signal, to file: URL) throws {
    try signal.withoutClipping.write(to: file.path)
  }

  private func short(_ text: String) -> Substring { Digest.sha256(text).prefix(8) }
}

extension Signal {
  /// Gain at which a mix of this many voices is about as loud as one of them.
  fileprivate static func mixGain(voices: Int) -> Float { 1 / Float(max(1, voices)).squareRoot() }

  fileprivate func scaled(by gain: Float) -> Signal {
    Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }
}
