import Foundation

/// A temporary folder that is deleted with its last reference. Only this user can open it.
public final class ScratchFolder: Sendable {
  package let url: URL

  package init() throws {
    url = try Scratch.folder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Deletes the folder now.
  package func discard() { try? FileManager.default.removeItem(at: url) }

  deinit { discard() }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
