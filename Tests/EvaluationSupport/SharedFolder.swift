import Foundation
import Platform
import TestSupport

/// Folders that take long to make: each is made once for all tests, and every test gets a copy.
package enum SharedFolder {
  private static let made = AsyncCache<[String: Data]>(capacity: 16)

  /// Returns a copy of the folder with this name.
  package static func copy(
    _ name: String, make: @escaping @Sendable (TemporaryFolder) async throws -> Void
  ) async throws -> TemporaryFolder {
    let files = try await made.value(name) {
      let folder = try TemporaryFolder()
      try await make(folder)
      return try folder.files(below: ".").reduce(into: [:]) {
        $0[$1] = try Data(contentsOf: folder.file($1))
      }
    }
    let copy = try TemporaryFolder()
    for (name, content) in files {
      let file = copy.file(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: file)
    }
    return copy
  }
}
