import Mustache

/// The page as HTML. The templates escape every text; only drawings pass unescaped.
struct ReportHTML {
  private let library: MustacheLibrary

  init() throws {
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("page", PackageResources.page_mustache), ("section", PackageResources.section_mustache),
      ("figure", PackageResources.figure_mustache), ("table", PackageResources.table_mustache),
      ("clip", PackageResources.clip_mustache),
    ] {
      try library.register(String(decoding: bytes, as: UTF8.self), named: name)
    }
    self.library = library
  }

  /// Rules for text, then those that exchange the colours of drawings.
  static var css: String {
    String(decoding: PackageResources.report_css, as: UTF8.self) + "\n" + PlotPalette.css
  }

  /// - Parameter drawings: inline SVG by figure id, in the order of `PlotSize.allCases`.
  func render(_ page: ReportPage, drawings: [String: [String]]) -> String {
    library.render(PageView(page, drawings: drawings), withTemplate: "page") ?? ""
  }
}

// What the templates name. Mustache looks a missing name up in the enclosing view, so optional
// parts are arrays, empty or of one.

private struct PageView {
  let title, subtitle, command: String
  let style = ReportFiles.style, json = ReportFiles.json
  let outcome: String
  let sentence: String
  let headlines: [HeadlineView]
  let sections: [SectionView]
  let reading, provenance: [Remark]
  let hasReading, hasProvenance: Bool

  init(_ page: ReportPage, drawings: [String: [String]]) {
    (title, subtitle, command) = (page.title, page.subtitle, page.command)
    (outcome, sentence) = (page.verdict.outcome.rawValue, page.verdict.sentence)
    headlines = page.headlines.map(HeadlineView.init)
    sections = page.sections.map { SectionView($0, drawings: drawings) }
    (reading, provenance) = (page.reading, page.provenance)
    (hasReading, hasProvenance) = (!page.reading.isEmpty, !page.provenance.isEmpty)
  }
}

private struct HeadlineView {
  let title, value, unit, count: String
  let interval: [IntervalView]
  let reason: [String]

  struct IntervalView { let text, meaning: String }

  init(_ headline: Headline) {
    title = headline.title
    value = headline.style.text(headline.amount)
    unit = headline.amount.value == nil ? "" : headline.unit
    count = "\(NumberStyle.decimals(0).text(Double(headline.count))) \(headline.counted)"
    interval =
      headline.interval.map { [IntervalView(text: headline.style.text($0), meaning: $0.meaning)] }
      ?? []
    reason = headline.amount.reason.map { [$0] } ?? []
  }
}

private struct SectionView {
  let id, title, intro: String
  let figures: [FigureView]
  let tables: [TableView]
  let clips: [ClipView]

  init(_ section: Section, drawings: [String: [String]]) {
    (id, title, intro) = (section.id, section.title, section.intro)
    figures = section.figures.map { FigureView($0, drawings: drawings[$0.id] ?? []) }
    tables = section.tables.map { TableView($0, file: ReportFiles.table($0.id)) }
    clips = section.clips.map(ClipView.init)
  }
}

private struct FigureView {
  let id, title, shows, omits, command, wide, narrow: String
  let drawing, data, script: String
  let table: TableView

  init(_ figure: Figure, drawings: [String]) {
    (id, title, shows, omits) = (figure.id, figure.title, figure.shows, figure.omits)
    command = figure.command
    (wide, narrow) = (drawings.first ?? "", drawings.last ?? "")
    drawing = ReportFiles.drawing(figure.id, .wide)
    data = ReportFiles.observations(figure.id)
    script = ReportFiles.script(figure.id)
    table = TableView(
      figure.content.summary(id: figure.id), file: ReportFiles.observations(figure.id))
  }
}

private struct TableView {
  let caption, file: String
  let columns: [ColumnView]
  let rows: [RowView]
  let note: [String]
  let footnotes: [FootnoteView]
  let hasFootnotes: Bool

  struct ColumnView { let title, unit, side: String }
  struct RowView { let cells: [CellView] }
  struct CellView { let text, side, mark, reason: String }
  struct FootnoteView { let mark, reason: String }

  init(_ table: Table, file: String) {
    self.file = file
    caption = table.title
    columns = table.columns.map {
      ColumnView(title: $0.title, unit: $0.unit, side: $0.style == nil ? "text" : "number")
    }
    let reasons = table.reasons
    rows = table.rows.map { row in
      RowView(
        cells: zip(row, table.columns).map { cell, column in
          Self.view(cell, style: column.style, reasons: reasons)
        })
    }
    note = table.note.map { [$0] } ?? []
    footnotes = reasons.indices.map { FootnoteView(mark: Self.mark($0), reason: reasons[$0]) }
    hasFootnotes = !reasons.isEmpty
  }

  private static func view(_ cell: Table.Cell, style: NumberStyle?, reasons: [String]) -> CellView {
    let side = style == nil ? "text" : "number"
    switch cell {
    case .text(let text): return CellView(text: text, side: side, mark: "", reason: "")
    case .amount(let amount):
      let text = (style ?? .significant(3)).text(amount)
      guard let reason = amount.reason, let index = reasons.firstIndex(of: reason) else {
        return CellView(text: text, side: side, mark: "", reason: "")
      }
      return CellView(text: text, side: side, mark: mark(index), reason: reason)
    }
  }

  /// a … z, then numbers.
  private static func mark(_ index: Int) -> String {
    index < 26 ? String(Character(Unicode.Scalar(UInt8(97 + index)))) : "\(index + 1)"
  }
}

private struct ClipView {
  let id, title, note: String
  let sounds: [SoundView]

  struct SoundView { let name, detail, file: String }

  init(_ clip: Clip) {
    (id, title, note) = (clip.id, clip.title, clip.note)
    sounds = clip.sounds.indices.map {
      SoundView(
        name: clip.sounds[$0].name, detail: clip.sounds[$0].detail,
        file: ReportFiles.sound($0, of: clip))
    }
  }
}
