import Foundation
import Platform

/// Writer of a report as a folder that opens from disk, without server or network.
///
/// A failure, or a kill, leaves no partial report and an earlier one unchanged.
package struct ReportWriter: Sendable {
  /// Default size of all sounds, which leaves a third of a 60 MB report to everything else.
  package static let defaultAudioBudgetBytes = 40_000_000

  private let drawer: DrawingWriter
  private let audioBudgetBytes: Int

  /// - Parameters:
  ///   - gnuplot: a path, or a name to look up in `PATH`.
  ///   - audioBudgetBytes: maximum size of all sounds; those that don't fit are left out and counted.
  package init(gnuplot: String = "gnuplot", audioBudgetBytes: Int = defaultAudioBudgetBytes) {
    self.audioBudgetBytes = audioBudgetBytes
    drawer = DrawingWriter(gnuplot: Gnuplot(program: gnuplot))
  }

  /// Checks, before any work, that a report can be written, and removes an earlier one, so that nobody takes
  /// it for the next.
  ///
  /// - Throws: a `Refusal`.
  package func clear(_ folder: URL) throws {
    try drawer.gnuplot.require()
    try requireReplaceable(folder)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Writes `page` to `folder` and replaces an earlier report there.
  ///
  /// - Throws: a `Refusal`.
  package func write(_ page: ReportPage, to folder: URL) throws {
    try ReportFiles.validate(page)
    try requireReplaceable(folder)
    try ReportFiles.replace(folder) { try build(page, in: $0) }
  }

  /// Checks that the folder is empty or an earlier report as it was written, so that neither a mistyped
  /// path does harm nor a file of the user's own is lost.
  private func requireReplaceable(_ folder: URL) throws(Refusal) {
    guard let status = FileStatus(folder.path) else { return }
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["unreadable"]
    let isReport = names.contains(ReportFiles.json) && names.contains(ReportFiles.page)
    guard status.isFolder, names.isEmpty || isReport else {
      throw Refusal(
        "\(folder.path) holds something other than a report and is left unchanged; choose another "
          + "folder"
      )
    }
    let written = ReportFiles.written(in: folder)
    let own = ReportFiles.present(in: folder).filter { written[$0.key] != $0.value }.keys.sorted()
    guard own.isEmpty else {
      throw Refusal(
        "the report at \(folder.path) holds files of your own, which a new report would replace: "
          + own.prefix(3).joined(separator: ", ")
          + (own.count > 3 ? " and \(own.count - 3) more" : "")
          + "; move them, or choose another folder")
    }
  }

  private func build(_ page: ReportPage, in draft: URL) throws {
    let manager = FileManager.default
    for name in ["figures", "tables", "audio"] {
      try manager.createDirectory(
        at: draft.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    func save(_ text: String, as name: String) throws {
      try Data(text.utf8).write(to: draft.appendingPathComponent(name))
    }

    let sections = page.allSections
    let (drawer, all) = (drawer, sections.flatMap(\.drawings))
    let figures = draft.appendingPathComponent("figures")
    let drawn = all.concurrentMap { drawing in
      Result { try drawer.write(drawing, to: figures) }
    }
    for (drawing, result) in zip(all, drawn) {
      try result.get()
      try save(
        drawing.plot.observations(id: drawing.id).csv, as: ReportFiles.observations(drawing.id))
    }
    for table in sections.flatMap(\.tables) {
      try save(table.csv, as: ReportFiles.table(table.id))
    }
    for (name, text) in page.files { try save(text, as: name) }
    let html = try ReportHTML()
    let sounds = try SoundStore(of: page, in: draft, html: html, budgetBytes: audioBudgetBytes)
    try PageScripts.write(PageScripts.page(with: sections), to: draft)
    try save(html.render(page, sounds: sounds), as: ReportFiles.page)
    let rendered = page.subpages.concurrentMap { subpage in
      html.render(subpage, of: page, sounds: sounds)
    }
    for (subpage, text) in zip(page.subpages, rendered) { try save(text, as: subpage.address) }
    try save(ReportHTML.css, as: ReportFiles.style)
    if let workbench = page.workbench {
      try WorkbenchPage(workbench: workbench, sounds: sounds, html: html)
        .write(to: draft, under: page.title)
    }
    let encoder = JSONEncoder.readable
    encoder.userInfo[.sounds] = sounds
    try save(String(decoding: encoder.encode(page), as: UTF8.self) + "\n", as: ReportFiles.json)
    try save(ReportFiles.list(ReportFiles.present(in: draft)), as: ReportFiles.digests)
  }
}
