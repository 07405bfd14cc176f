import Files
import Foundation

/// A temporary folder for the files of a page; deleted with the last page that needs it.
public final class ScratchFolder: Sendable {
  let url: URL

  init() throws {
    url = Scratch.folder
      .appendingPathComponent("choir-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
