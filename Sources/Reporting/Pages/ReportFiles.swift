import Foundation
import Platform

/// Paths of files within a report, relative to its folder.
enum ReportFiles {
  static let page = "index.html"
  static let style = "report.css"
  static let json = "report.json"
  static let workbench = "workbench.html"
  static let workbenchStyle = "workbench.css"

  /// The list of all other files with their digests, by which those of the user are known.
  static let digests = "files.tsv"

  /// Digests of the files that a report was written with, by path.
  static func written(in folder: URL) -> [String: String] {
    let text = try? GivenFile.text(at: folder.appendingPathComponent(digests))
    let rows = (text ?? "").split(separator: "\n").map { $0.components(separatedBy: "\t") }
    return Dictionary(rows.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  /// Digests of the files that are there, by path.
  static func present(in folder: URL) -> [String: String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    var found: [String: String] = [:]
    for path in paths where path != digests {
      let file = folder.appendingPathComponent(path)
      let kind = try? FileManager.default.attributesOfItem(atPath: file.path)[.type]
      switch kind as? FileAttributeType {
      case .typeDirectory: continue
      case .typeRegular: found[path] = (try? Digest.sha256(ofFile: file)) ?? "unreadable"
      default: found[path] = "no file"
      }
    }
    return found
  }

  static func list(_ files: [String: String]) -> String {
    files.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }.joined()
  }

  /// Makes the contents of a folder in a draft beside it and moves them there at the end: a failure, or a
  /// kill, leaves no partial folder and an earlier one unchanged.
  ///
  /// - Throws: a `Refusal`, and the errors of `make`.
  static func replace(_ folder: URL, _ make: (URL) throws -> Void) throws {
    let place = folder.standardizedFileURL
    let (parent, name) = (place.deletingLastPathComponent(), place.lastPathComponent)
    do {
      let draft = try Draft(name, in: parent, of: parent)
      defer { draft.discard() }
      try make(draft.folder.appendingPathComponent(name))
      try draft.publish { [Draft.Move(from: name, to: name)] }
    } catch let error as CocoaError {
      throw Refusal(
        "the report at \(folder.path) could not be written: \(error.localizedDescription)")
    }
  }

  static func table(_ id: String) -> String { "tables/\(id).csv" }
  static func drawing(_ id: String, _ size: PlotSize) -> String {
    "figures/\(id)\(size.suffix).svg"
  }
  static func script(_ id: String) -> String { "figures/\(id).gp" }
  static func observations(_ id: String) -> String { "figures/\(id).csv" }

  static func figure(_ id: String) -> [String] {
    [drawing(id, .wide), drawing(id, .narrow), script(id), observations(id)]
  }

  /// Path of a sound; numbered, because two sounds may have the same name.
  static func sound(_ index: Int, of clip: Clip) -> String {
    "audio/\(clip.id)/\(index + 1)-\(slug(clip.sounds[index].name)).html"
  }

  /// Returns the text as lower-case letters, digits and single hyphens.
  static func slug(_ text: String) -> String {
    let parts = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return parts.isEmpty ? "sound" : parts.joined(separator: "-")
  }

  /// Returns the slug of a recording's id, with a digest if it is another text: two ids may differ in capitals,
  /// signs or other letters only.
  static func slug(ofRecording id: String) -> String {
    let plain = slug(id)
    return plain == id ? id : "\(plain)-\(Digest.sha256(id).prefix(8))"
  }

  /// Checks the ids, which name files and anchors: each must be a slug and unique.
  static func validate(_ page: ReportPage) throws(Refusal) {
    var ids = page.subpages.map(\.id)
    for section in page.allSections {
      ids.append(section.id)
      ids += section.drawings.map(\.id) + section.allClips.map(\.id)
      ids += section.tables.map(\.id)
    }
    var seen: Set<String> = [
      "contents", "reading", "provenance", "verdict", "index", "report", "workbench",
    ]
    for id in ids {
      guard !id.isEmpty, id == slug(id) else {
        throw Refusal(
          "the id \"\(id)\" cannot name a file; use lower-case letters, digits and hyphens")
      }
      guard seen.insert(id).inserted else {
        throw Refusal("the id \"\(id)\" names two parts of the report; give each its own")
      }
    }
  }
}
