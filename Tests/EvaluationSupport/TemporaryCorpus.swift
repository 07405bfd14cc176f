import Foundation

@testable import Corpus

/// Creates corpora of synthetic recordings.
package enum TemporaryCorpus {
  package static func folder(rows: [String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("corpus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("audio"), withIntermediateDirectories: true)
    let text = ([ManifestEntry.columns.joined(separator: ",")] + rows).joined(separator: "\n")
    try (text + "\n").write(
      to: folder.appendingPathComponent("manifest.csv"), atomically: true, encoding: .utf8)
    return folder
  }
}
