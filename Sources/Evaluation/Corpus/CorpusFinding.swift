import AudioFile
import Foundation
import Platform

extension Corpus {
  /// A difference between the manifest and the files.
  public enum Finding: Equatable, Sendable, CustomStringConvertible {
    case missing(id: String, file: String)
    case changed(id: String, file: String)
    case extra(file: String)
    case unmade(id: String)
    /// The annotations of one kind don't belong to the sound.
    case unfit(id: String, file: String, problem: String)
    /// Sound and annotations are those of another recording, so that both share every result.
    case twin(id: String, of: String)

    public var description: String {
      switch self {
      case .missing(let id, let file):
        "missing  \(file)  (\(id)); fetch it (scripts/fetch-corpus) or import it again"
      case .changed(let id, let file):
        "changed  \(file)  (\(id)): its SHA-256 differs; delete it and fetch or import it again"
      case .extra(let file):
        "extra    \(file): not in the manifest; add it with choir-eval corpus add, or delete it"
      case .unmade(let id):
        "unmade   \(id): the recording that its source names is missing; correct its manifest row"
      case .unfit(let id, let file, let problem): "unfit    \(file)  (\(id)): \(problem)"
      case .twin(let id, let other):
        "twin     \(id): its sound and annotations are those of \(other); remove one of them"
      }
    }
  }

  /// Finds files of sound or annotations that are missing, changed or not in the manifest.
  public func verify() throws -> [Finding] {
    var findings: [Finding] = []
    func check(_ name: String, sha256: String, of entry: ManifestEntry, at url: URL) throws {
      if !FileManager.default.fileExists(atPath: url.path) {
        findings.append(.missing(id: entry.id, file: name))
      } else if try Digest.sha256(ofFile: url) != sha256 {
        findings.append(.changed(id: entry.id, file: name))
      }
    }
    var twins: [String: String] = [:]
    for entry in entries {
      guard let file = file(of: entry) else {
        if (try? digest(of: entry)) == nil { findings.append(.unmade(id: entry.id)) }
        continue
      }
      try check(entry.file, sha256: entry.sha256, of: entry, at: file)
      for (kind, sha256) in entry.truth.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        let name = entry.file(of: kind)
        try check(name, sha256: sha256, of: entry, at: audioFolder.appendingPathComponent(name))
      }
      if let other = twins.updateValue(entry.id, forKey: entry.digest) {
        findings.append(.twin(id: entry.id, of: other))
      }
      findings += unfitAnnotations(of: entry, at: file)
    }
    let described = Set(entries.flatMap { [$0.file] + $0.truth.keys.map($0.file(of:)) })
    return findings
      + audioFiles().filter { !described.contains($0) }.map { .extra(file: $0) }
  }

  /// Compares the times of the annotations with the length of the sound; empty if either can't be
  /// read, which is a finding of its own.
  private func unfitAnnotations(of entry: ManifestEntry, at file: URL) -> [Finding] {
    guard !entry.truth.isEmpty, let annotations = try? annotations(of: entry),
      let duration = try? AudioFileInfo(probing: file.path).durationSeconds
    else { return [] }
    return AnnotationKind.allCases.compactMap { kind in
      annotations.problem(of: kind, durationSeconds: duration, mayBeEmpty: true).map {
        .unfit(id: entry.id, file: entry.file(of: kind), problem: $0)
      }
    }
  }

  /// Returns the paths below the audio folder, sorted.
  private func audioFiles() -> [String] {
    let root = audioFolder.standardizedFileURL.path + "/"
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    return walk.compactMap { $0 as? String }
      .filter { FileStatus(root + $0)?.isFolder == false && !$0.hasPrefix(".") }.sorted()
  }
}
