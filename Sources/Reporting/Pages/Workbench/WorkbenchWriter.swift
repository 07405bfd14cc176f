import Foundation
import Mustache

/// Writer of the workbench and the pads: pages of their own, which scripts fill.
struct WorkbenchWriter {
  let page: ReportPage
  let sounds: SoundStore
  let html: ReportHTML

  private static let scripts: [String: [UInt8]] = [
    "data": PackageResources.data_js, "sounds": PackageResources.sounds_js,
    "cells": PackageResources.cells_js, "search": PackageResources.search_js,
    "grid": PackageResources.grid_js, "spectrum": PackageResources.spectrum_js,
    "pitch": PackageResources.pitch_js, "lane-sheet": PackageResources.lane_sheet_js,
    "lanes": PackageResources.lanes_js,
    "lane-view": PackageResources.lane_view_js, "lane-player": PackageResources.lane_player_js,
    "workbench": PackageResources.workbench_js, "pads": PackageResources.pads_js,
  ]

  /// Boards of which every voice is in the report.
  private var boards: [PadBoardView] {
    page.boards.compactMap { PadBoardView($0, on: sounds) }
  }

  /// Addresses of the pages that `write` makes.
  var addresses: (workbench: String?, pads: String?) {
    (page.workbench == nil ? nil : ReportFiles.workbench, boards.isEmpty ? nil : ReportFiles.pads)
  }

  func write(to report: URL) throws {
    let boards = boards
    guard page.workbench != nil || !boards.isEmpty else { return }
    try save(PackageResources.workbench_css, as: ReportFiles.workbenchStyle, in: report)
    let folder = report.appendingPathComponent("scripts")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let used =
      (page.workbench == nil ? [] : WorkbenchFiles.scripts)
      + (boards.isEmpty ? [] : PadBoardView.scripts)
    for name in Set(used) {
      try save(Self.scripts[name] ?? [], as: "\(name).js", in: folder)
    }
    if let workbench = page.workbench {
      try WorkbenchFiles(workbench, sounds: sounds).write(to: report)
      let view = WorkbenchView(page, workbench, pads: addresses.pads)
      try save(html.render(view), as: ReportFiles.workbench, in: report)
    }
    if !boards.isEmpty {
      let data = report.appendingPathComponent("data")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      try WorkbenchFiles.save(boards.map(\.data), as: "pads", in: data)
      let view = PadsView(page, boards, workbench: addresses.workbench)
      try save(html.render(view), as: ReportFiles.pads, in: report)
    }
  }

  private func save(_ bytes: [UInt8], as name: String, in folder: URL) throws {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  private func save(_ text: String, as name: String, in folder: URL) throws {
    try save(Array(text.utf8), as: name, in: folder)
  }
}

/// The view of `workbench.mustache`.
struct WorkbenchView {
  let title = "Workbench"
  let parent = ReportFiles.page, style = ReportFiles.style, sheet = ReportFiles.workbenchStyle
  let parentTitle, options: String
  let pads, scripts: [String]

  init(_ page: ReportPage, _ workbench: Workbench, pads: String?) {
    (parentTitle, options) = (page.title, workbench.options)
    self.pads = pads.map { [$0] } ?? []
    // The data of the cells arrives before the script that shows them.
    let names = WorkbenchFiles.scripts.map { "scripts/\($0).js" }
    scripts = names.dropLast() + ["data/cells.js"] + names.suffix(1)
  }
}

/// The view of `pads.mustache`.
struct PadsView {
  let title = "Pads"
  let parent = ReportFiles.page, style = ReportFiles.style, sheet = ReportFiles.workbenchStyle
  let parentTitle: String
  let workbench: [String]
  let boards: [PadBoardView]
  let scripts: [String]

  init(_ page: ReportPage, _ boards: [PadBoardView], workbench: String?) {
    (parentTitle, self.boards) = (page.title, boards)
    self.workbench = workbench.map { [$0] } ?? []
    let names = PadBoardView.scripts.map { "scripts/\($0).js" }
    scripts = names.dropLast() + ["data/pads.js"] + names.suffix(1)
  }
}

extension ReportHTML {
  func render(_ view: WorkbenchView) -> String {
    library.render(view, withTemplate: "workbench") ?? ""
  }

  func render(_ view: PadsView) -> String { library.render(view, withTemplate: "pads") ?? "" }
}
