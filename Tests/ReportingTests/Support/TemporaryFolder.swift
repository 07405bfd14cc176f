import Foundation

/// A folder of its own for one test, gone afterwards.
struct TemporaryFolder: ~Copyable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("reporting-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Every file below the folder, as path relative to it, sorted.
  func files(below name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.appendingPathComponent(name).path)
      .filter {
        var isFolder: ObjCBool = false
        let path = url.appendingPathComponent(name).appendingPathComponent($0).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }.sorted()
  }
}
