import Foundation

/// A temporary folder that is deleted with its last reference.
public final class ScratchFolder: Sendable {
  package let url: URL

  package init() throws {
    url = Scratch.folder.appendingPathComponent("choir-eval-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Deletes the folder now.
  package func discard() { try? FileManager.default.removeItem(at: url) }

  deinit { discard() }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
