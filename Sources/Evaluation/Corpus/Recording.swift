import Analyzer
import AudioFile
import DSP
import Foundation

/// A recording in memory, with what is known of its pitch.
public struct Recording: Sendable {
  public var entry: ManifestEntry
  public var signal: Signal
  /// What the sound is, whatever its name: part of the address of everything measured on it.
  public var digest: String
  /// The exact pitch, where the recording was made from it.
  public var truth: PitchTrack?
}

extension Corpus {
  /// Reads or makes a recording; a file whose checksum differs is refused.
  public func recording(_ entry: ManifestEntry) throws -> Recording {
    if let name = entry.syntheticName {
      return try SyntheticRecording.make(name, for: entry)
    }
    if let id = entry.copiedID { return try copy(entry, of: id) }
    let file = file(of: entry)!
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw EvaluationError.recordingMissing(id: entry.id, path: file.path)
    }
    guard try Digest.sha256(ofFile: file) == entry.sha256 else {
      throw EvaluationError.recordingChanged(id: entry.id, path: file.path)
    }
    do {
      let signal = try AudioFile(reading: file.path).mono
      return Recording(entry: entry, signal: signal, digest: entry.sha256, truth: nil)
    } catch {
      throw EvaluationError.recordingUnreadable(id: entry.id, reason: "\(error)")
    }
  }

  /// The digest of a recording without reading its sound, where that can be had.
  func digest(of entry: ManifestEntry) throws -> String {
    if let name = entry.syntheticName { return try SyntheticRecording.digest(name) }
    return try entry.copiedID.map { try digest(of: entry, copying: $0) } ?? entry.sha256
  }
}
