import Metrics
import Mustache
import Platform

/// Renderer of pages as HTML. The templates escape all text; only drawings pass unescaped.
struct ReportHTML: Sendable {
  let library: MustacheLibrary

  init() throws {
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("page", PackageResources.page_mustache), ("section", PackageResources.section_mustache),
      ("figure", PackageResources.figure_mustache), ("table", PackageResources.table_mustache),
      ("clip", PackageResources.clip_mustache), ("player", PackageResources.player_mustache),
      ("blind", PackageResources.blind_mustache), ("sound", PackageResources.sound_mustache),
      ("scripts", PackageResources.scripts_mustache), ("head", PackageResources.head_mustache),
      ("subpage", PackageResources.subpage_mustache), ("link", PackageResources.link_mustache),
      ("workbench", PackageResources.workbench_mustache), ("pads", PackageResources.pads_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    self.library = library
  }

  /// Style rules for text, then those that exchange the colours of drawings.
  static var css: String {
    [PackageResources.report_css, PackageResources.listen_css]
      .map { String(decoding: $0, as: UTF8.self) + "\n" }.joined() + PlotPalette.css
  }

  /// - Parameter drawings: inline SVG by figure id, in the order of `PlotSize.allCases`.
  func render(_ page: ReportPage, drawings: [String: [String]], sounds: SoundStore) -> String {
    let parts = PageParts(
      drawings: drawings, sounds: sounds, page: ReportFiles.page, lanes: lanes(page, sounds))
    let further = WorkbenchPages(page: page, sounds: sounds, html: self).addresses
    return render(PageView(page, parts, further), by: "page")
  }

  func render(
    _ subpage: Subpage, of page: ReportPage, drawings: [String: [String]], sounds: SoundStore
  ) -> String {
    let parts = PageParts(
      drawings: drawings, sounds: sounds, page: subpage.address(), lanes: lanes(page, sounds))
    return render(SubpageView(subpage, of: page, parts), by: "subpage")
  }

  func render(_ view: Any, by template: String) -> String {
    library.render(view, withTemplate: template) ?? ""
  }

  /// Addresses of the cells whose sounds have lanes, by path.
  private func lanes(_ page: ReportPage, _ sounds: SoundStore) -> [String: String] {
    guard let workbench = page.workbench else { return [:] }
    let found = workbench.heard(sounds).map { lane in
      (lane.sounds[0].path, Workbench.address(ofCell: workbench.keys[lane.row]))
    }
    return Dictionary(found) { first, _ in first }
  }
}

// Views of the templates. Mustache looks a missing name up in the enclosing view, so an optional
// part is an array of none or one.

private struct PageView {
  let title, subtitle, command: String
  let style = ReportFiles.style, json = ReportFiles.json
  let outcome: String
  let sentence: String
  let headlines: [HeadlineView]
  let coverage: [String]
  let sections: [SectionView]
  let reading, provenance: [Remark]
  let hasReading, hasProvenance, hasSubpages: Bool
  let workbench, pads: [String]
  let watch: [WatchView]

  struct WatchView { let cells, planned: String }
  let subpages: [AddressView]

  struct AddressView { let title, address: String }
  struct ScaleView { let title, limits, meaning, source: String }

  let scales: [ScaleView]
  let hasScales: Bool

  let scripts: [String]
  let hasScripts: Bool

  init(
    _ page: ReportPage, _ parts: PageParts, _ further: (workbench: String?, pads: String?)
  ) {
    (title, subtitle, command) = (page.title, page.subtitle, page.command)
    watch =
      page.progress.map { [WatchView(cells: "\($0.cells)", planned: "\($0.planned)")] } ?? []
    (workbench, pads) = ([further.workbench].compactMap(\.self), [further.pads].compactMap(\.self))
    (outcome, sentence) = (page.verdict.outcome.rawValue, page.verdict.sentence)
    headlines = page.headlines.map(HeadlineView.init)
    coverage = page.coverage.isEmpty ? [] : [page.coverage]
    scales = page.headlines.compactMap { headline in
      headline.scale.map {
        ScaleView(
          title: headline.title, limits: $0.limits, meaning: $0.meaning, source: $0.source)
      }
    }
    hasScales = !scales.isEmpty
    sections = page.sections.map { SectionView($0, parts) }
    (reading, provenance) = (
      page.reading, page.provenance + [parts.sounds.remark].compactMap(\.self)
    )
    subpages = page.subpages.map { AddressView(title: $0.title, address: $0.address()) }
    hasSubpages = !subpages.isEmpty
    (hasReading, hasProvenance) = (!page.reading.isEmpty, !page.provenance.isEmpty)
    let players = PageScripts.players(for: page.sections)
    hasScripts = !players.isEmpty
    scripts = PageScripts.paths(players + (page.progress == nil ? [] : PageScripts.progress))
  }
}

private struct SubpageView {
  let title, subtitle, command, parentTitle: String
  let parent = ReportFiles.page, style = ReportFiles.style
  let sections: [SectionView]

  let scripts: [String]
  let hasScripts: Bool

  init(_ subpage: Subpage, of page: ReportPage, _ parts: PageParts) {
    (title, subtitle) = (subpage.title, subpage.subtitle)
    (command, parentTitle) = (page.command, page.title)
    sections = subpage.sections.map { SectionView($0, parts) }
    scripts = PageScripts.paths(PageScripts.players(for: subpage.sections))
    hasScripts = !scripts.isEmpty
  }
}

private struct HeadlineView {
  let title, value, unit, count: String
  /// Empty, or the class of a word in place of a number.
  let absent: String
  let interval: [IntervalView]
  let reason, change, link: [String]
  let grade: [GradeView]

  struct GradeView {
    let word: [String]
    let limits, meaning, source: String
  }

  struct IntervalView { let text, meaning: String }

  init(_ headline: Headline) {
    title = headline.title
    value = headline.amount.gap?.rawValue ?? headline.style.text(headline.amount)
    absent = headline.amount.gap == nil ? "" : "absent"
    grade =
      headline.scale.map { scale in
        [
          GradeView(
            word: headline.grade.map { [$0.rawValue] } ?? [], limits: scale.limits,
            meaning: scale.meaning,
            source: scale.source)
        ]
      } ?? []
    unit = headline.amount.value == nil ? "" : headline.unit
    let counted = headline.count == 1 ? headline.counted.trimmingSuffix("s") : headline.counted
    count = "\(NumberStyle.decimals(0).text(Double(headline.count))) \(counted)"
    interval =
      headline.interval.map { [IntervalView(text: headline.style.text($0), meaning: $0.meaning)] }
      ?? []
    reason = headline.amount.reason.map { [$0.detail] } ?? []
    change = headline.change.isEmpty ? [] : [headline.change]
    link = headline.link.map { [$0] } ?? []
  }
}

private struct SectionView {
  let id, title, intro: String
  let figures: [DrawingView]
  let tables: [TableView]
  let clips: [PlayerView]

  init(_ section: Section, _ parts: PageParts) {
    (id, title, intro) = (section.id, section.title, section.intro)
    figures = section.drawings.map { DrawingView($0, parts) }
    tables = section.tables.map { TableView($0, file: ReportFiles.table($0.id), parts) }
    clips = section.clips.map { PlayerView($0, on: parts.sounds, lanes: parts.lanes) }
  }
}

private struct DrawingView {
  let id, title, shows, command, wide, narrow: String
  let omits: [String]
  let drawing, data, script: String
  /// Places to press in the wide and the narrow drawing.
  let wideSpots, narrowSpots: [SpotView]
  let table: TableView
  let clip: [PlayerView]

  init(_ drawn: Drawing, _ parts: PageParts) {
    let drawings = parts.drawings[drawn.id] ?? []
    (id, title, shows) = (drawn.id, drawn.title, drawn.shows)
    omits = drawn.omits.isEmpty ? [] : [drawn.omits]
    command = drawn.command
    (wide, narrow) = (drawings.first ?? "", drawings.last ?? "")
    drawing = ReportFiles.drawing(drawn.id, .wide)
    data = ReportFiles.observations(drawn.id)
    script = ReportFiles.script(drawn.id)
    wideSpots = Self.spots(of: drawn.plot, .wide, parts)
    narrowSpots = Self.spots(of: drawn.plot, .narrow, parts)
    table = TableView(
      drawn.plot.summary(id: drawn.id), file: ReportFiles.observations(drawn.id), parts)
    clip = drawn.clip.map { [PlayerView($0, on: parts.sounds, lanes: parts.lanes)] } ?? []
  }

  private static func spots(
    of plot: any Plot, _ size: PlotSize, _ parts: PageParts
  ) -> [SpotView] {
    PlotSpot.apart(plot.spots(size)).compactMap {
      SpotView($0, widthPx: size.widthPx, heightPx: plot.heightPx(size), parts)
    }
  }
}

private struct TableView {
  let caption, file: String
  /// Empty, or the class of a table with many columns, whose cells wrap.
  let density: String
  let columns: [ColumnView]
  let rows: [RowView]
  let note: [String]
  let footnotes: [FootnoteView]
  let hasFootnotes: Bool

  struct ColumnView { let title, unit, side: String }
  /// Tables have thousands of cells, and Mustache would find their parts by reflection.
  struct RowView: MustacheParent {
    let cells: [CellView]
    let id: [String]

    func child(named name: String) -> Any? {
      switch name {
      case "cells": cells
      case "id": id
      default: nil
      }
    }
  }
  struct CellView: MustacheParent {
    let text, side, mark, reason: String
    /// Class of a cell with a word in place of a number; else empty.
    let absent: String
    let link: [LinkView]

    func child(named name: String) -> Any? {
      switch name {
      case "text": text
      case "side": side
      case "mark": mark
      case "reason": reason
      case "absent": absent
      case "link": link
      default: nil
      }
    }
  }
  struct FootnoteView { let mark, reason: String }

  init(_ table: Table, file: String, _ parts: PageParts) {
    self.file = file
    caption = table.title
    density = table.columns.count > 13 ? "dense packed" : table.columns.count > 7 ? "dense" : ""
    columns = table.columns.map {
      // Names of metrics may break after their dots.
      ColumnView(
        title: $0.title.replacing(".", with: ".\u{200B}").replacing("_", with: "_\u{200B}"),
        unit: $0.unit, side: $0.style == nil ? "text" : "number")
    }
    let sides = table.columns.indices.map { table.isShort($0) ? "text short" : "text" }
    let reasons = table.reasons
    let ids = table.rowIDs
    rows = table.rows.prefix(table.mostShown).enumerated().map { index, row in
      RowView(
        cells: row.indices.map { place in
          let style = table.columns[place].style
          return Self.view(
            row[place], style: style, side: style == nil ? sides[place] : "number",
            reasons: reasons, parts)
        }, id: index < ids.count ? [ids[index]] : [])
    }
    let left = table.rows.count - table.mostShown
    let more = left > 0 ? "\(counted(left, "further row")) in the file." : ""
    note = [[table.note ?? "", more].filter { !$0.isEmpty }.joined(separator: " ")]
      .filter { !$0.isEmpty }
    footnotes = reasons.indices.map { index in
      FootnoteView(
        mark: Self.mark(index), reason: Amount.undefined(reasons[index]).reasonInWords ?? "")
    }
    hasFootnotes = !reasons.isEmpty
  }

  private static func view(
    _ cell: Table.Cell, style: NumberStyle?, side: String, reasons: [Undefined], _ parts: PageParts
  ) -> CellView {
    let link: LinkView? =
      switch cell {
      case .linked(_, let address): LinkView(href: address)
      case .heard(_, let audioLink): parts.link(to: audioLink)
      case .text, .amount: nil
      }
    let links = link.map { [$0] } ?? []
    guard case .amount(let amount) = cell.bare else {
      return CellView(
        text: cell.plain, side: side, mark: "", reason: "", absent: "", link: links)
    }
    return CellView(
      text: amount.gap?.rawValue ?? (style ?? .significant(3)).text(amount), side: side,
      mark: amount.reason.flatMap { reasons.firstIndex(of: $0) }.map(mark) ?? "",
      reason: amount.reasonInWords ?? "", absent: amount.gap == nil ? "" : "absent", link: links)
  }

  /// Mark of a footnote: a … z, then numbers.
  private static func mark(_ index: Int) -> String {
    index < 26 ? String(Character(Unicode.Scalar(UInt8(97 + index)))) : "\(index + 1)"
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
