import Foundation
import Platform

/// The workbench of a report: a page of its own, which scripts fill.
struct WorkbenchPage {
  let workbench: Workbench
  let sounds: SoundStore
  let html: ReportHTML

  /// - Parameter title: title of the report.
  func write(to report: URL, under title: String) throws {
    func save(_ bytes: some Sequence<UInt8>, as name: String) throws {
      try Data(bytes).write(to: report.appendingPathComponent(name))
    }
    try save(PackageResources.workbench_css, as: ReportFiles.workbenchStyle)
    try PageScripts.write(PageScripts.workbench, to: report)
    try WorkbenchData(workbench, sounds: sounds).write(to: report)
    let view: View = [
      "title": "Workbench", "parent": ReportFiles.page, "style": ReportFiles.style,
      "sheet": ReportFiles.workbenchStyle, "parentTitle": title,
      "scripts": PageScripts.paths(PageScripts.workbench, data: "cells"),
      "options": workbench.options,
    ]
    try save(html.render(view, by: "workbench").utf8, as: ReportFiles.workbench)
  }
}
