import Evaluation
import Foundation

/// A folder for files that a page is made from; gone with the last page that needs them.
public final class ScratchFolder: Sendable {
  let url: URL

  init() throws {
    url = Scratch.folder
      .appendingPathComponent("choir-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
