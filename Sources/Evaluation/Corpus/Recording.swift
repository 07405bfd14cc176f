import Analyzer
import AudioFile
import DSP
import Foundation
import Platform

/// A recording in memory with its annotations.
public struct Recording: Sendable {
  public var entry: ManifestEntry
  public var signal: Signal
  /// A digest of the sound and its annotations, independent of its name; part of the key of every
  /// result.
  public var digest: String
  /// The pitch every 5 ms: exact for synthetic recordings and copies, annotated otherwise.
  public var truth: PitchTrack?
  /// The annotations in their own steps.
  public var annotations = Annotations()

  package init(
    entry: ManifestEntry, signal: Signal, digest: String, truth: PitchTrack? = nil,
    annotations: Annotations = Annotations()
  ) {
    (self.entry, self.signal, self.digest) = (entry, signal, digest)
    (self.truth, self.annotations) = (truth, annotations)
  }

  public var phones: [LabelledSpan]? { annotations.phones }
}

extension Corpus {
  /// Reads or synthesizes a recording; refuses a file with another checksum.
  public func recording(_ entry: ManifestEntry) throws -> Recording {
    if let name = entry.syntheticName {
      return try SyntheticRecording.make(name, for: entry)
    }
    if let id = entry.copiedID { return try copy(entry, of: id) }
    let file = file(of: entry)!
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw Refusal.recordingMissing(id: entry.id, path: file.path)
    }
    guard try Digest.sha256(ofFile: file) == entry.sha256 else {
      throw Refusal.recordingChanged(id: entry.id, path: file.path)
    }
    let annotations = try annotations(of: entry)
    do {
      let signal = try AudioFile(reading: file.path).mono
      let truth = annotations.pitch.map {
        PitchTrack(points: $0, durationSeconds: signal.durationSeconds)
      }
      return Recording(
        entry: entry, signal: signal, digest: try digest(of: entry), truth: truth,
        annotations: annotations)
    } catch {
      throw Refusal.recordingUnreadable(id: entry.id, cause: Cause(error))
    }
  }

  /// Returns the digest of a recording without reading its sound.
  package func digest(of entry: ManifestEntry) throws -> String {
    if let name = entry.syntheticName { return try SyntheticRecording.digest(name) }
    return try entry.copiedID.map { try digest(of: entry, copying: $0) } ?? entry.digest
  }

  /// Reads the annotations beside the sound; refuses a file with another checksum.
  package func annotations(of entry: ManifestEntry) throws -> Annotations {
    var annotations = Annotations()
    for (kind, sha256) in entry.truth {
      let file = audioFolder.appendingPathComponent(entry.file(of: kind))
      guard let data = try? GivenFile.data(at: file) else {
        throw Refusal.recordingMissing(id: entry.id, path: file.path)
      }
      guard Digest.sha256(data) == sha256 else {
        throw Refusal.recordingChanged(id: entry.id, path: file.path)
      }
      do {
        try annotations.read(kind, decodedText(data), path: file.path)
      } catch {
        throw Refusal.recordingUnreadable(id: entry.id, cause: Cause(error))
      }
    }
    return annotations
  }
}
