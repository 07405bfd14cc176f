import Foundation
import Platform

/// The workbench and the pads of a report: pages of their own, which scripts fill.
struct WorkbenchPages {
  let page: ReportPage
  let sounds: SoundStore
  let html: ReportHTML

  /// Boards of which every voice is in the report.
  private var boards: [(view: View, data: JSONObject)] {
    page.boards.compactMap { $0.pads(on: sounds) }
  }

  /// Addresses of the pages that `write` makes.
  var addresses: (workbench: String?, pads: String?) {
    (page.workbench == nil ? nil : ReportFiles.workbench, boards.isEmpty ? nil : ReportFiles.pads)
  }

  func write(to report: URL) throws {
    let (boards, addresses) = (boards, addresses)
    func save(_ bytes: some Sequence<UInt8>, as name: String) throws {
      try Data(bytes).write(to: report.appendingPathComponent(name))
    }
    if addresses.workbench != nil || addresses.pads != nil {
      try save(PackageResources.workbench_css, as: ReportFiles.workbenchStyle)
    }
    if let workbench = page.workbench {
      try PageScripts.write(PageScripts.workbench, to: report)
      try WorkbenchData(workbench, sounds: sounds).write(to: report)
      let view = view("Workbench", PageScripts.paths(PageScripts.workbench, data: "cells")).merging(
        ["options": workbench.options, "pads": addresses.pads.part]) { $1 }
      try save(html.render(view, by: "workbench").utf8, as: ReportFiles.workbench)
    }
    if !boards.isEmpty {
      try PageScripts.write(PageScripts.pads, to: report)
      try PageScripts.deliver(boards.map(\.data), as: "pads", to: report)
      let view = view("Pads", PageScripts.paths(PageScripts.pads, data: "pads")).merging(
        ["workbench": addresses.workbench.part, "boards": boards.map(\.view)]) { $1 }
      try save(html.render(view, by: "pads").utf8, as: ReportFiles.pads)
    }
  }

  /// Values that the templates of both pages name.
  private func view(_ title: String, _ scripts: [String]) -> View {
    [
      "title": title, "parent": ReportFiles.page, "style": ReportFiles.style,
      "sheet": ReportFiles.workbenchStyle, "parentTitle": page.title, "scripts": scripts,
    ]
  }
}
