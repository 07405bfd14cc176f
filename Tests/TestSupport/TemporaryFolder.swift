import Foundation

/// A folder that is deleted with its owner.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("choir-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  package func path(_ name: String) -> String { file(name).path }

  /// Writes a text, with the folders on the way to it.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> URL {
    let url = file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
    return url
  }

  /// Writes bytes and returns the file's path.
  package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: file(name))
    return path(name)
  }

  package func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: file(name))) }

  /// The names in the folder, sorted, with hidden ones.
  package var contents: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// The files below a folder, as sorted relative paths.
  package func files(below name: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path(name)).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: path("\(name)/\($0)"), isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
