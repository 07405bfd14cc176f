import Foundation

/// The scripts of a page with sound: plain files, in the order of their dependencies.
package enum ListeningScripts {
  /// The script that decodes sounds and switches between them while they play.
  package static let sounds = PackageResources.sounds_js

  private static let texts: [(file: String, bytes: [UInt8])] = [
    ("sounds.js", PackageResources.sounds_js), ("timebar.js", PackageResources.timebar_js),
    ("player.js", PackageResources.player_js), ("proportion.js", PackageResources.proportion_js),
    ("blind.js", PackageResources.blind_js),
  ]

  /// Paths relative to the report.
  private static let files = texts.map { "scripts/\($0.file)" }

  /// The scripts that a page with these sections needs; none without sound.
  static func files(for sections: [Section]) -> [String] {
    sections.allSatisfy { $0.allClips.isEmpty } ? [] : files
  }

  static func write(for page: ReportPage, to report: URL) throws {
    let sections = page.sections + page.subpages.flatMap(\.sections)
    guard !files(for: sections).isEmpty else { return }
    try FileManager.default.createDirectory(
      at: report.appendingPathComponent("scripts"), withIntermediateDirectories: true)
    for (file, text) in zip(files, texts) {
      try Data(text.bytes).write(to: report.appendingPathComponent(file))
    }
  }
}
