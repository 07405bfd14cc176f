import Foundation
import Platform

/// The scripts of a page that loads itself again while its run goes on, and the progress they ask for.
enum PreliminaryFiles {
  /// Paths relative to the report, in the order of their dependencies.
  static let scripts = ["scripts/data.js", "scripts/watch.js"]

  static func write(_ progress: ReportPage.Progress, to report: URL) throws {
    let texts = zip(scripts, [PackageResources.data_js, PackageResources.watch_js])
    for folder in ["scripts", "data"] {
      try FileManager.default.createDirectory(
        at: report.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    for (file, text) in texts {
      try Data(text).write(to: report.appendingPathComponent(file))
    }
    try WorkbenchFiles.save(
      progress.cells, as: "progress", in: report.appendingPathComponent("data"))
  }
}
