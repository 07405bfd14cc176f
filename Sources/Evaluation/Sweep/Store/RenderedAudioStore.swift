import AudioFile
import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Subjects

/// Sounds that a plan keeps for listening, as files beside the result store.
package struct RenderedAudioStore: Sendable {
  package let folder: URL

  package init(folder: URL) {
    self.folder = folder
  }

  /// File of the subject's output for a cell.
  func choir(_ key: String) -> URL { folder.appendingPathComponent("\(key.prefix(16)).flac") }

  /// File of a sound that cells share.
  ///
  /// - Parameter name: from a store, which may have been edited.
  func file(_ name: String) -> URL {
    folder.appendingPathComponent(URL(fileURLWithPath: name).lastPathComponent)
  }

  /// Writes the sounds of one cell; sounds shared with other cells are written once.
  ///
  /// - Returns: names of the shared sounds.
  func keep(
    _ cell: Cell, input heard: Signal, rendering: Rendering, oracle: Oracle?
  ) throws -> KeptSounds {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let input = try shared(heard, as: "input-\(cell.recording.id)")
    let ideal = try oracle.map { oracle in
      try shared(
        oracle.mix.signal.scaled(by: Signal.mixGain(voices: oracle.stems.count)),
        as: "oracle-\(cell.recording.id)")
    }
    let gain = Signal.mixGain(voices: rendering.stems.count)
    try write(rendering.mix.scaled(by: gain), to: choir(cell.key))
    return KeptSounds(input: input, oracle: ideal)
  }

  /// Writes a sound under a name with a digest of its samples, so that another sound never has it.
  private func shared(_ signal: Signal, as title: String) throws -> String {
    let samples = signal.samples.withUnsafeBytes { Data($0) }
    let digest = Digest.sha256(samples + Data("\(signal.sampleRateHz)".utf8))
    let name = "\(title)-\(digest.prefix(16)).flac"
    if !FileManager.default.fileExists(atPath: file(name).path) {
      try write(signal, to: file(name))
    }
    return name
  }

  /// Writes a sound, scaled down if it would clip.
  private func write(_ signal: Signal, to file: URL) throws {
    try signal.withoutClipping.write(to: file.path)
  }
}

/// File names of the sounds that a cell shares with others; `nil` if they are not kept.
struct KeptSounds: Equatable, Sendable {
  /// The sound that the subject received.
  var input: String?
  /// The oracle's rendering of a synthetic recording.
  var oracle: String?
}

extension Signal {
  /// Gain at which a mix of this many voices is about as loud as one of them.
  fileprivate static func mixGain(voices: Int) -> Float { 1 / Float(max(1, voices)).squareRoot() }

  fileprivate func scaled(by gain: Float) -> Signal {
    Signal(samples.map { $0 * gain }, sampleRateHz: sampleRateHz)
  }
}
