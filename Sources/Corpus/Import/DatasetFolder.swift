import Files
import Foundation

/// The files of a data set as its makers laid them out, in a folder or a ZIP file.
public struct DatasetFolder: Sendable {
  /// As the user named it.
  public let place: URL
  /// Paths below the root of the data set, sorted.
  public let files: [String]
  private let known: Set<String>
  /// What stands before the paths in `place`; empty or ending in `/`.
  private let prefix: String
  private let archive: ZipArchive?
  /// Where members of the archive are unpacked.
  private let unpacked: UnpackedFolder?

  /// - Throws: an `ImportError` where there is neither a folder nor a ZIP file.
  public init(_ place: URL) throws {
    guard FileManager.default.fileExists(atPath: place.path) else {
      throw ImportError.noSuchPlace(path: place.path)
    }
    if isFolder("", in: place) {
      let names = FileManager.default.enumerator(atPath: place.path)?.compactMap { $0 as? String }
      self.init(
        place, prefix: "", files: (names ?? []).filter { !isFolder($0, in: place) }, archive: nil,
        unpacked: nil)
    } else {
      guard try FileHandle(forReadingFrom: place).read(upToCount: 2) == Data("PK".utf8) else {
        throw ImportError.noSuchPlace(path: place.path)
      }
      let archive = try ZipArchive(place)
      self.init(
        place, prefix: "", files: archive.members, archive: archive, unpacked: UnpackedFolder())
    }
  }

  /// A sound file and what lies in the same folder, not below it.
  init(around sound: URL) {
    let folder = sound.deletingLastPathComponent()
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    self.init(
      folder, prefix: "", files: (names ?? []).filter { !isFolder($0, in: folder) }, archive: nil,
      unpacked: nil)
  }

  private init(
    _ place: URL, prefix: String, files: [String], archive: ZipArchive?, unpacked: UnpackedFolder?
  ) {
    self.place = place
    self.prefix = prefix
    self.files = files.filter(Self.isContent).sorted()
    known = Set(self.files)
    self.archive = archive
    self.unpacked = unpacked
  }

  /// What file managers leave behind is no part of a data set.
  private static func isContent(_ path: String) -> Bool {
    !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
  }

  public var isArchive: Bool { archive != nil }

  public func has(_ path: String) -> Bool { known.contains(path) }

  /// The same files seen from the topmost folder, at most three down, in which every pattern
  /// matches a file; `nil` where there is none.
  func rooted(at patterns: [String]) -> DatasetFolder? {
    var candidates: Set<String> = []
    for file in files {
      let parts = file.split(separator: "/")
      for depth in 0...min(3, parts.count - 1)
      where matches(parts.dropFirst(depth).joined(separator: "/"), patterns[0]) {
        candidates.insert(parts.prefix(depth).map { $0 + "/" }.joined())
      }
    }
    let roots = candidates.sorted { ($0.count, $0) < ($1.count, $1) }
    for root in roots {
      let below = files.filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) }
      if patterns.allSatisfy({ pattern in below.contains { matches($0, pattern) } }) {
        return DatasetFolder(
          place, prefix: prefix + root, files: below, archive: archive, unpacked: unpacked)
      }
    }
    return nil
  }

  /// The files that match a pattern; `*` stands for anything but `/`.
  func files(matching pattern: String) -> [String] { files.filter { matches($0, pattern) } }

  /// Names, without folder and ending, of the files that match any of the patterns: a clip that
  /// lost its sound is found by its annotations.
  func stems(_ patterns: String...) -> [String] {
    Set(patterns.flatMap { files(matching: $0) }.map(stem)).sorted()
  }

  /// Where the file can be read; of an archive, once it is unpacked.
  func url(_ path: String) throws -> URL {
    guard let archive, let unpacked else { return place.appendingPathComponent(prefix + path) }
    let url = unpacked.url.appendingPathComponent(prefix + path)
    if !FileManager.default.fileExists(atPath: url.path) {
      try archive.extract([prefix + path], into: unpacked.url)
    }
    return url
  }

  func text(_ path: String) throws -> String { decodedText(try Data(contentsOf: url(path))) }

  /// Unpacks many files in one go, where there is anything to unpack.
  func prepare(_ paths: [String]) throws {
    guard let archive, let unpacked else { return }
    try archive.extract(
      Set(paths.filter(has)).map { prefix + $0 }.sorted(), into: unpacked.url)
  }

  /// Forgets what was unpacked.
  func discard() {
    if let unpacked, archive != nil { unpacked.empty() }
  }
}

private func isFolder(_ path: String, in folder: URL) -> Bool {
  var isFolder: ObjCBool = false
  let exists = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder)
  return exists && isFolder.boolValue
}

/// Whether a path matches a pattern of the shell; `*` does not cross folders.
func matches(_ path: String, _ pattern: String) -> Bool {
  fnmatch(pattern, path, FNM_PATHNAME) == 0
}

/// The last part of a path without its ending.
func stem(_ path: String) -> String {
  URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
}

/// A folder that is gone once nobody needs it.
final class UnpackedFolder: Sendable {
  let url = Scratch.folder
    .appendingPathComponent("choir-eval-\(UUID().uuidString)")

  func empty() { try? FileManager.default.removeItem(at: url) }

  deinit { empty() }
}
