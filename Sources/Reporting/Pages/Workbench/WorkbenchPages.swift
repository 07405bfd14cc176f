import Foundation

/// The workbench and the pads of a report: pages of their own, which scripts fill.
struct WorkbenchPages {
  let page: ReportPage
  let sounds: SoundStore
  let html: ReportHTML

  /// Boards of which every voice is in the report.
  private var boards: [PadBoardView] {
    page.boards.compactMap { PadBoardView($0, on: sounds) }
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
      let view = WorkbenchView(
        parentTitle: page.title, options: workbench.options,
        pads: [addresses.pads].compactMap(\.self))
      try save(html.render(view, by: "workbench").utf8, as: ReportFiles.workbench)
    }
    if !boards.isEmpty {
      try PageScripts.write(PageScripts.pads, to: report)
      try PageScripts.deliver(boards.map(\.data), as: "pads", to: report)
      let view = PadsView(
        parentTitle: page.title, workbench: [addresses.workbench].compactMap(\.self),
        boards: boards)
      try save(html.render(view, by: "pads").utf8, as: ReportFiles.pads)
    }
  }
}

/// The view of `workbench.mustache`.
private struct WorkbenchView {
  let title = "Workbench"
  let parent = ReportFiles.page, style = ReportFiles.style, sheet = ReportFiles.workbenchStyle
  let parentTitle, options: String
  let pads: [String]
  let scripts = PageScripts.paths(PageScripts.workbench, data: "cells")
}

/// The view of `pads.mustache`.
private struct PadsView {
  let title = "Pads"
  let parent = ReportFiles.page, style = ReportFiles.style, sheet = ReportFiles.workbenchStyle
  let parentTitle: String
  let workbench: [String]
  let boards: [PadBoardView]
  let scripts = PageScripts.paths(PageScripts.pads, data: "pads")
}
