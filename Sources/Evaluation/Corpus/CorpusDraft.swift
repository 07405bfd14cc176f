import AudioFile
import DSP
import Foundation

/// Recordings on their way into a corpus. They are prepared out of sight, and appear, all or
/// none, when the draft is published.
struct CorpusDraft {
  private let folder: URL
  private let staging: URL
  private var manifest: ManifestText
  /// Below the staging folder and, later, below the folder of sounds.
  private var files: [String] = []

  /// - Parameter folder: that of the manifest; made where there is none.
  init(of folder: URL) throws {
    self.folder = folder
    let file = folder.appendingPathComponent("manifest.csv")
    let exists = FileManager.default.fileExists(atPath: file.path)
    manifest = ManifestText(
      exists ? try String(contentsOf: file, encoding: .utf8) : "",
      ids: exists ? try Corpus(folder: folder).entries.map(\.id) : [])
    staging = folder.appendingPathComponent("audio/.draft-\(UUID().uuidString)")
  }

  func hasEntry(_ id: String) -> Bool { manifest.ids.contains(id) }

  /// Takes in a sound and what is known about it.
  ///
  /// - Parameters:
  ///   - entry: all but its file and checksums, which follow from the sound.
  ///   - group: the folder below `audio` it goes to.
  ///   - channel: the only one to keep, counted from 0.
  /// - Returns: the entry with those.
  @discardableResult
  mutating func add(
    _ entry: ManifestEntry, sound: URL, in group: String, keeping channel: Int?, linking: Bool,
    annotations: Annotations
  ) throws -> ManifestEntry {
    var entry = entry
    let ending = channel == nil ? sound.pathExtension.lowercased() : "wav"
    entry.file = "\(group)/\(entry.id).\(ending)"
    let target = try place(entry.file)
    try writing(target) {
      if let channel {
        let type = try AudioFileInfo(probing: sound.path).sampleType
        try AudioFile(reading: sound.path).channel(channel)
          .write(to: target.path, encoding: .wav(type ?? .float32))
      } else if linking {
        try FileManager.default.createSymbolicLink(
          at: target, withDestinationURL: sound.standardizedFileURL)
      } else {
        // What a link in the user's folder leads to, not the link.
        try FileManager.default.copyItem(at: sound.resolvingSymlinksInPath(), to: target)
      }
    }
    entry.sha256 = try Digest.sha256(ofFile: target)
    entry.truth = [:]
    for kind in AnnotationKind.allCases {
      guard let text = annotations.text(of: kind) else { continue }
      let target = try place(entry.file(of: kind))
      try writing(target) { try Data(text.utf8).write(to: target) }
      entry.truth[kind] = Digest.sha256(text)
    }
    if let problem = entry.problem { throw ImportError.row(problem: problem) }
    manifest.append(entry)
    return entry
  }

  /// Moves the files to their places, then the manifest. Where any of it fails, what was moved is
  /// taken away again.
  mutating func publish() throws {
    guard !files.isEmpty else { return }
    let audio = folder.appendingPathComponent("audio")
    var moved: [URL] = []
    do {
      for file in files {
        let target = audio.appendingPathComponent(file)
        try writing(target) {
          try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
          try FileManager.default.moveItem(at: staging.appendingPathComponent(file), to: target)
        }
        moved.append(target)
      }
      let file = folder.appendingPathComponent("manifest.csv")
      try writing(file) { try Data(manifest.text.utf8).write(to: file, options: .atomic) }
    } catch {
      for file in moved { try? FileManager.default.removeItem(at: file) }
      throw error
    }
  }

  /// Leaves nothing of what was not published.
  func discard() { try? FileManager.default.removeItem(at: staging) }

  /// Where to prepare a file whose final place must be free.
  private mutating func place(_ file: String) throws -> URL {
    let final = folder.appendingPathComponent("audio/\(file)")
    guard !FileManager.default.fileExists(atPath: final.path) else {
      throw ImportError.fileInTheWay(path: final.path)
    }
    let target = staging.appendingPathComponent(file)
    try writing(target) {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    files.append(file)
    return target
  }

  private func writing(_ target: URL, _ work: () throws -> Void) throws {
    do { try work() } catch {
      let reason = (error as NSError).localizedFailureReason ?? "\(error)"
      throw ImportError.write(path: target.path, problem: reason)
    }
  }
}
