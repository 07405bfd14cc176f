import AudioFile
import Foundation
import Platform

/// Recordings to be added to a corpus. They are prepared in a hidden folder; publishing adds all of
/// them or none.
struct CorpusDraft {
  private let folder: URL
  private let draft: Draft
  /// The ids of the corpus.
  private let known: Set<String>
  /// The ids by their digests. Two recordings with one digest would share every result.
  private var twins: [String: String]
  private var entries: [ManifestEntry] = []
  /// Paths below the audio folder.
  private var files: [String] = []

  /// - Parameter folder: the manifest's folder; created if missing.
  init(of folder: URL) throws {
    self.folder = folder
    do { draft = try Draft(in: Self.audio(of: folder), of: folder) } catch {
      throw Self.refusal(Self.audio(of: folder), error)
    }
    let entries = try Self.entries(of: folder)
    known = Set(entries.map(\.id))
    twins = Dictionary(
      entries.filter { !$0.isMade }.map { ($0.digest, $0.id) }, uniquingKeysWith: { one, _ in one })
  }

  func hasEntry(_ id: String) -> Bool {
    known.contains(id) || entries.contains { $0.id == id }
  }

  /// Adds a sound and its annotations.
  ///
  /// - Parameters:
  ///   - entry: the manifest row; its file and checksums are filled in here.
  ///   - group: the folder below `audio` to put the sound in.
  ///   - channel: the only channel to keep, from 0; `nil` keeps all.
  ///   - linking: puts a link in place of a copy.
  /// - Returns: the complete entry.
  @discardableResult
  mutating func add(
    _ entry: ManifestEntry, sound: URL, in group: String, keeping channel: Int?, linking: Bool,
    annotations: Annotations
  ) throws -> ManifestEntry {
    var entry = entry
    let fileCount = files.count
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
        // Copy the target of a link, not the link.
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
    if let problem = entry.problem {
      throw Refusal(problem)
    }
    if let twin = twins[entry.digest] {
      files.removeLast(files.count - fileCount)
      throw SameSound(id: entry.id, twin: twin)
    }
    twins[entry.digest] = entry.id
    entries.append(entry)
    return entry
  }

  /// Moves the files to their places, then the manifest. If a move fails, all are undone.
  func publish() throws {
    guard !files.isEmpty else { return }
    let prepared = draft.folder.appendingPathComponent(Self.manifest)
    do {
      try draft.publish {
        // Other recordings may have been added since this draft was created.
        var manifest = try Self.manifest(of: folder)
        for entry in entries {
          guard !manifest.ids.contains(entry.id) else { throw Refusal.idTaken(id: entry.id) }
          manifest.append(entry)
        }
        for file in files { try requireFree(file) }
        try writing(prepared) { try Data(manifest.text.utf8).write(to: prepared) }
        return files.map { Draft.Move(from: $0, to: "audio/\($0)") }
          + [Draft.Move(from: Self.manifest, to: Self.manifest)]
      }
    } catch let error as Refusal {
      throw error
    } catch {
      throw Self.refusal(folder, error)
    }
  }

  /// Removes the files that were not published.
  func discard() { draft.discard() }

  private static let manifest = "manifest.csv"

  private static func audio(of folder: URL) -> URL { folder.appendingPathComponent("audio") }

  private static func entries(of folder: URL) throws -> [ManifestEntry] {
    let file = folder.appendingPathComponent(manifest)
    return FileManager.default.fileExists(atPath: file.path)
      ? try Corpus.readManifest(file) : []
  }

  private static func manifest(of folder: URL) throws -> ManifestText {
    let entries = try entries(of: folder)
    let file = folder.appendingPathComponent(manifest)
    return ManifestText((try? GivenFile.text(at: file)) ?? "", ids: entries.map(\.id))
  }

  private func requireFree(_ file: String) throws {
    let final = Self.audio(of: folder).appendingPathComponent(file)
    guard !FileManager.default.fileExists(atPath: final.path) else {
      throw Refusal(
        "\(final.path) exists and is not in the manifest; move it away (corpus verify lists such files)"
      )
    }
  }

  /// Returns the URL to prepare a file at; throws if its final place is taken.
  private mutating func place(_ file: String) throws -> URL {
    try requireFree(file)
    let target = draft.folder.appendingPathComponent(file)
    try writing(target) {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    files.append(file)
    return target
  }

  private func writing(_ target: URL, _ work: () throws -> Void) throws {
    do { try work() } catch { throw Self.refusal(target, error) }
  }

  private static func refusal(_ target: URL, _ error: any Error) -> Refusal {
    let reason = (error as NSError).localizedFailureReason ?? errorText(error)
    return Refusal("\(target.path) could not be written: \(reason); the corpus is unchanged")
  }
}

/// The text of a manifest to append rows to; existing rows keep their text.
struct ManifestText {
  private(set) var text: String
  private(set) var ids: Set<String>
  private let columnCount: Int

  /// - Parameters:
  ///   - text: a valid manifest, or empty for a new one.
  ///   - ids: the ids of its rows.
  init(_ text: String, ids: [String]) {
    self.ids = Set(ids)
    var lines = text.split { $0.isNewline }.map(String.init)
    if lines.isEmpty { lines = [ManifestEntry.columns.joined(separator: ",")] }
    if lines[0].hasSuffix(",shows") {
      lines[0] += ",truth"
      for row in lines.indices.dropFirst() { lines[row] += "," }
    }
    columnCount = lines[0].split(separator: ",").count
    self.text = lines.joined(separator: "\n") + "\n"
  }

  mutating func append(_ entry: ManifestEntry) {
    ids.insert(entry.id)
    text += entry.row(columns: columnCount) + "\n"
  }
}

/// A recording whose sound and annotations are those of another.
struct SameSound: Error, CustomStringConvertible {
  let id, twin: String

  var description: String {
    "'\(id)' has the same sound and annotations as '\(twin)', and would share all its results; "
      + "keep one of them"
  }
}
