import Foundation

extension Corpus {
  /// Something about the files that the manifest does not say.
  public enum Finding: Equatable, Sendable, CustomStringConvertible {
    case missing(id: String, file: String)
    case changed(id: String, file: String)
    case extra(file: String)
    case unmade(id: String)

    public var description: String {
      switch self {
      case .missing(let id, let file): "missing  \(file)  (\(id)); scripts/fetch-corpus gets it"
      case .changed(let id, let file): "changed  \(file)  (\(id)): its SHA-256 differs"
      case .extra(let file): "extra    \(file): not in the manifest"
      case .unmade(let id): "unmade   \(id): the recording that its source names is not there"
      }
    }
  }

  /// Every file that is missing, changed or not in the manifest; none where all is well.
  public func verify() throws -> [Finding] {
    var findings: [Finding] = []
    for entry in entries {
      guard let file = file(of: entry) else {
        if (try? digest(of: entry)) == nil { findings.append(.unmade(id: entry.id)) }
        continue
      }
      if !FileManager.default.fileExists(atPath: file.path) {
        findings.append(.missing(id: entry.id, file: entry.file))
      } else if try Digest.sha256(ofFile: file) != entry.sha256 {
        findings.append(.changed(id: entry.id, file: entry.file))
      }
    }
    let described = Set(entries.map(\.file))
    return findings
      + audioFiles().filter { !described.contains($0) }.map { .extra(file: $0) }
  }

  /// Paths below the audio folder, sorted.
  private func audioFiles() -> [String] {
    let root = audioFolder.standardizedFileURL.path + "/"
    guard let walk = FileManager.default.enumerator(atPath: root) else { return [] }
    return walk.compactMap { $0 as? String }
      .filter { path in
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: root + path, isDirectory: &isFolder)
          && !isFolder.boolValue && !path.hasPrefix(".")
      }.sorted()
  }
}
