import Foundation
import Platform

/// The scripts and the data of pages: a page opened from disk may load scripts, but no other files.
enum PageScripts {
  // Names of the scripts of each kind of page, in the order of their dependencies.
  static let player = ["sounds", "timebar", "player", "proportion", "blind"]
  static let workbench = [
    "data", "sounds", "cells", "search", "grid", "spectrum", "pitch", "lane-sheet", "lanes",
    "lane-view", "lane-player", "workbench",
  ]

  /// The script that decodes sounds and switches between them while they play.
  static let sounds = PackageResources.sounds_js

  private static let texts: [String: [UInt8]] = [
    "blind": PackageResources.blind_js, "cells": PackageResources.cells_js,
    "copy": PackageResources.copy_js,
    "data": PackageResources.data_js, "grid": PackageResources.grid_js,
    "lane-player": PackageResources.lane_player_js, "lane-sheet": PackageResources.lane_sheet_js,
    "lane-view": PackageResources.lane_view_js, "lanes": PackageResources.lanes_js,
    "pitch": PackageResources.pitch_js,
    "player": PackageResources.player_js, "proportion": PackageResources.proportion_js,
    "search": PackageResources.search_js, "sounds": sounds,
    "spectrum": PackageResources.spectrum_js, "timebar": PackageResources.timebar_js,
    "workbench": PackageResources.workbench_js,
  ]

  /// Returns the scripts that players of these sections need; none without sound.
  static func players(for sections: [Section]) -> [String] {
    sections.allSatisfy { $0.allClips.isEmpty } ? [] : player
  }

  /// Returns all scripts of a page with these sections.
  static func page(with sections: [Section]) -> [String] { ["copy"] + players(for: sections) }

  /// Returns paths relative to the report.
  ///
  /// - Parameter data: the data that arrives before the last script, which shows it.
  static func paths(_ scripts: [String], data: String? = nil) -> [String] {
    let paths = scripts.map { "scripts/\($0).js" }
    return paths.dropLast() + (data.map { ["data/\($0).js"] } ?? []) + paths.suffix(1)
  }

  static func write(_ scripts: [String], to report: URL) throws {
    guard !scripts.isEmpty else { return }
    let folder = try made("scripts", in: report)
    for name in Set(scripts) {
      try Data(texts[name] ?? []).write(to: folder.appendingPathComponent("\(name).js"))
    }
  }

  /// Writes `deliver("NAME", CONTENT)`, which the page's scripts define, as a file of the data.
  static func deliver(_ content: some Encodable, as name: String, to report: URL) throws {
    let text = try "deliver(\"\(name)\", " + JSONEncoder.canonical.text(content) + ")\n"
    try Data(text.utf8).write(to: made("data", in: report).appendingPathComponent("\(name).js"))
  }

  private static func made(_ name: String, in report: URL) throws -> URL {
    let folder = report.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
