import Foundation
import Platform
import SwiftCSV

/// The recordings to test subjects on: a manifest and the files it describes.
public struct Corpus: Sendable {
  /// The folder with `manifest.csv` and `audio`.
  public let folder: URL
  public let entries: [ManifestEntry]

  /// Reads the manifest, after finishing or removing the drafts of killed imports.
  public init(folder: URL) throws {
    self.folder = folder
    Draft.recover(in: folder.appendingPathComponent("audio"), of: folder)
    entries = try Self.readManifest(folder.appendingPathComponent("manifest.csv"))
  }

  public func entry(id: String) throws -> ManifestEntry {
    guard let entry = entries.first(where: { $0.id == id }) else {
      throw Refusal.unknownRecording(id: id, known: entries.map(\.id))
    }
    return entry
  }

  /// Returns the recording's file; `nil` for a synthetic recording or a copy.
  public func file(of entry: ManifestEntry) -> URL? {
    entry.isMade ? nil : audioFolder.appendingPathComponent(entry.file)
  }

  var audioFolder: URL { folder.appendingPathComponent("audio") }

  static func readManifest(_ url: URL) throws -> [ManifestEntry] {
    func fail(_ line: Int, _ problem: String) -> Refusal {
      Refusal("\(url.path):\(line): \(problem)")
    }
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw Refusal(
        "there is no corpus in \(url.deletingLastPathComponent().path): manifest.csv is missing; "
          + "name the corpus's folder with "
          + "--corpus, or start one with choir-eval corpus add or import")
    }
    let text: String
    do { text = try YAMLFile.text(of: url) } catch { throw fail(1, error.text) }
    let table: CSV<Named>
    do { table = try CSV<Named>(string: text, delimiter: .comma) } catch {
      throw fail(1, "is not a table of comma-separated values (\(error)); correct its quotes")
    }
    guard table.header.count >= ManifestEntry.requiredColumns.count,
      table.header.elementsEqual(ManifestEntry.columns.prefix(table.header.count))
    else {
      throw fail(1, "the columns must be \(ManifestEntry.columns.joined(separator: ","))")
    }
    var entries: [ManifestEntry] = []
    var ids: Set<String> = []
    for (index, row) in table.rows.enumerated() {
      func value(_ column: String) -> String {
        (row[column] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
      }
      var entry = ManifestEntry(
        id: value("id"), file: value("file"), source: value("source"),
        sha256: value("sha256").lowercased(),
        licence: value("licence"), attribution: value("attribution"), voice: value("voice"),
        kind: value("kind"), shows: value("shows"))
      if let problem = entry.problem { throw fail(index + 2, problem) }
      guard let truth = ManifestEntry.truth(value("truth")) else {
        throw fail(
          index + 2,
          "the truth of '\(entry.id)' is '\(value("truth"))'; write pairs of KIND=SHA256 and spaces "
            + "between them")
      }
      entry.truth = truth
      entry.statedTechnique = value("technique").isEmpty ? nil : value("technique")
      if !value("tier").isEmpty {
        guard let tier = Tier(rawValue: value("tier")) else {
          throw fail(
            index + 2,
            "the tier of '\(entry.id)' is '\(value("tier"))'; choose \(Tier.names) or leave it "
              + "empty")
        }
        entry.smallestTier = tier
      }
      if !ids.insert(entry.id).inserted {
        throw fail(index + 2, "the id '\(entry.id)' occurs twice; rename one recording")
      }
      entries.append(entry)
    }
    return entries
  }
}
