import Foundation
import Metrics
import Platform

/// The values that a template names. Mustache looks a missing name up in the enclosing view, so an
/// optional part is an array of none or one.
typealias View = [String: Any]

extension Optional {
  /// The value as an optional part of a view.
  var part: [Wrapped] { map { [$0] } ?? [] }
}

extension String {
  /// The text as an optional part of a view.
  var part: [String] { isEmpty ? [] : [self] }
}

/// The views of a page's parts, with the sounds that they refer to.
struct PageViews {
  let sounds: SoundStore
  /// File name of the page.
  let page: String
  /// Addresses of lanes on the workbench by the path of their sound.
  let lanes: [String: String]

  // MARK: Pages

  func page(_ page: ReportPage) -> View {
    let players = PageScripts.players(for: page.sections)
    let scales = page.headlines.compactMap { headline -> View? in
      headline.scale.map { scale in
        [
          "title": headline.title, "limits": scale.limits, "meaning": scale.meaning,
          "source": scale.source,
        ]
      }
    }
    return [
      "title": page.title, "subtitle": page.subtitle, "command": page.command,
      "style": ReportFiles.style, "json": ReportFiles.json,
      "outcome": page.verdict.outcome.rawValue, "words": page.verdict.outcome.words,
      "sign": page.verdict.outcome.sign, "sentence": page.verdict.sentence,
      "lead": lead(of: page).part, "next": page.next,
      "headlines": page.headlines.map(headline), "coverage": page.coverage.part,
      "sections": page.sections.map { section($0, without: page.lead?.drawing) },
      "reading": page.reading,
      "hasReading": !page.reading.isEmpty, "provenance": page.provenance + sounds.remark.part,
      "hasProvenance": !page.provenance.isEmpty,
      "workbench": page.workbench.map { _ in ReportFiles.workbench }.part,
      "subpages": page.subpages.map { ["title": $0.title, "address": $0.address] },
      "hasSubpages": !page.subpages.isEmpty, "scales": scales, "hasScales": !scales.isEmpty,
      "scripts": PageScripts.paths(PageScripts.page(with: page.sections)),
      "hasPlayers": !players.isEmpty,
    ]
  }

  func subpage(_ subpage: Subpage, of page: ReportPage) -> View {
    let players = PageScripts.players(for: subpage.sections)
    return [
      "title": subpage.title, "subtitle": subpage.subtitle, "command": page.command,
      "parentTitle": page.title, "parent": ReportFiles.page, "style": ReportFiles.style,
      "sections": subpage.sections.map { section($0) },
      "scripts": PageScripts.paths(PageScripts.page(with: subpage.sections)),
      "hasPlayers": !players.isEmpty,
    ]
  }

  private func headline(_ headline: Headline) -> View {
    let (amount, style) = (headline.amount, headline.style)
    let isOne = headline.count == 1 && headline.counted.hasSuffix("s")
    let noun = isOne ? String(headline.counted.dropLast()) : headline.counted
    return [
      "title": headline.title,
      "value": amount.gap.map { $0 == .missing ? "not measured" : $0.rawValue }
        ?? style.text(amount),
      // Empty, or the class of a word in place of a number.
      "absent": amount.gap == nil ? "" : "absent",
      "unit": amount.value == nil ? "" : headline.unit,
      "count": "\(NumberStyle.decimals(0).text(Double(headline.count))) \(noun)",
      "grade": headline.scale.map { scale -> View in
        [
          "word": (headline.grade?.rawValue).part, "limits": scale.limits,
          "meaning": scale.meaning, "source": scale.source,
        ]
      }.part,
      "interval": headline.interval.map {
        ["text": style.text($0), "meaning": $0.meaning]
      }.part,
      "reason": (amount.reason?.detail ?? headline.remark).part, "change": headline.change.part,
      "link": headline.link.part,
    ]
  }

  // MARK: Sections

  /// The picture beside the verdict.
  private func lead(of page: ReportPage) -> View? {
    guard let lead = page.lead,
      var drawn = page.sections.flatMap(\.drawings).first(where: { $0.id == lead.drawing })
    else { return nil }
    drawn.clip = nil
    var view = drawing(drawn)
    view["heading"] = "h2"
    view["play"] = lead.sounds.compactMap { sound in
      link(to: sound.link).map { ["title": sound.title, "link": $0] as View }
    }
    return view
  }

  /// - Parameter lead: id of the drawing that stands beside the verdict; its player stays here.
  private func section(_ section: Section, without lead: String? = nil) -> View {
    let details: View = [
      "intro": section.intro,
      "figures": section.drawings.filter { $0.id != lead }.map(drawing),
      "tables": section.tables.map { table($0, file: ReportFiles.table($0.id)) },
    ]
    let clips = section.drawings.filter { $0.id == lead }.compactMap(\.clip) + section.clips
    return [
      "id": section.id, "title": section.title,
      "open": section.isFolded ? [] : [details], "folded": section.isFolded ? [details] : [],
      "clips": clips.map { player(of: $0) },
    ]
  }

  private func drawing(_ drawn: Drawing) -> View {
    func px(_ length: Double) -> String { NumberStyle.decimals(0).text(length) }
    return [
      "id": drawn.id, "heading": "h3", "title": drawn.title, "shows": drawn.shows,
      "omits": drawn.omits.part,
      "command": drawn.command, "drawing": ReportFiles.drawing(drawn.id, .wide),
      "narrow": ReportFiles.drawing(drawn.id, .narrow),
      "wideWidth": px(PlotSize.wide.widthPx), "wideHeight": px(drawn.plot.heightPx(.wide)),
      "narrowWidth": px(PlotSize.narrow.widthPx),
      "narrowHeight": px(drawn.plot.heightPx(.narrow)),
      "data": ReportFiles.observations(drawn.id), "script": ReportFiles.script(drawn.id),
      // Places to press.
      "wideSpots": spots(of: drawn.plot, .wide), "narrowSpots": spots(of: drawn.plot, .narrow),
      "table": table(drawn.plot.summary(id: drawn.id), file: ReportFiles.observations(drawn.id)),
      "clip": drawn.clip.map { player(of: $0) }.part,
    ]
  }

  /// Places of a drawing that can be pressed, with their position in percent of the drawing.
  private func spots(of plot: any Plot, _ size: PlotSize) -> [View] {
    func percent(_ px: Double, of wholePx: Double) -> String {
      String(format: "%.2f", 100 * (px / wholePx))
    }
    return PlotSpot.apart(plot.spots(size)).compactMap { spot in
      link(to: spot.audioLink).map { link in
        [
          "left": percent(spot.xPx, of: size.widthPx),
          "top": percent(spot.yPx, of: plot.heightPx(size)), "title": spot.title, "link": link,
        ]
      }
    }
  }

  /// Returns a link that plays a sound; `nil` if the report's budget left that sound out.
  private func link(to audioLink: AudioLink) -> View? {
    guard let (home, source) = sounds.place(of: audioLink) else { return nil }
    let part = audioLink.partS.map {
      ["fromS": Self.seconds($0.lowerBound), "toS": Self.seconds($0.upperBound)]
    }
    let plays: View = ["clip": audioLink.clip, "source": "\(source)", "part": part.part]
    return ["href": (home == page ? "" : home) + "#\(audioLink.clip)", "plays": [plays]]
  }

  static func seconds(_ value: Double) -> String { String(format: "%.3f", value) }

  private func player(of clip: Clip) -> View { clip.player(on: sounds, lanes: lanes) }

  // MARK: Tables

  private func table(_ table: Table, file: String) -> View {
    let count = table.columns.count
    let sides = table.columns.indices.map { place in
      table.columns[place].style != nil ? "number" : table.isShort(place) ? "text short" : "text"
    }
    let reasons = table.reasons
    let rows = table.rows.prefix(table.maxShown).map { row -> View in
      let cells = row.indices.map { place in
        cell(row[place], style: table.columns[place].style, side: sides[place], reasons)
      }
      return ["cells": cells]
    }
    let left = table.rows.count - table.maxShown
    let more = left > 0 ? "\(counted(left, "further row")) in the file." : ""
    return [
      "caption": table.title, "file": file,
      // Empty, or the class of a table with many columns, whose cells wrap.
      "density": count > 13 ? "dense packed" : count > 7 ? "dense" : "",
      "columns": table.columns.map { column in
        [
          // Names of metrics may break after their dots.
          "title": column.title.replacing(".", with: ".\u{200B}")
            .replacing("_", with: "_\u{200B}"),
          "unit": column.unit, "side": column.style == nil ? "text" : "number",
        ]
      },
      "rows": rows,
      "note": [table.note ?? "", more].filter { !$0.isEmpty }.joined(separator: " ").part,
      "footnotes": reasons.indices.map { index in
        [
          "mark": Self.mark(index),
          "reason": Amount.undefined(reasons[index]).reasonInWords ?? "",
        ]
      }, "hasFootnotes": !reasons.isEmpty,
    ]
  }

  private func cell(
    _ cell: Table.Cell, style: NumberStyle?, side: String, _ reasons: [Undefined]
  ) -> View {
    let link: View? =
      switch cell {
      case .linked(_, let address): ["href": address, "plays": [View]()]
      case .heard(_, let audioLink): self.link(to: audioLink)
      case .text, .amount, .command: nil
      }
    guard case .amount(let amount) = cell.bare else {
      return [
        "text": cell.plain, "isCommand": cell.isCommand, "side": side, "mark": "", "reason": "",
        "absent": "", "link": link.part,
      ]
    }
    return [
      "text": amount.gap?.rawValue ?? (style ?? .significant(3)).text(amount),
      "isCommand": false, "side": side,
      "mark": amount.reason.flatMap { reasons.firstIndex(of: $0) }.map(Self.mark) ?? "",
      "reason": amount.reasonInWords ?? "", "absent": amount.gap == nil ? "" : "absent",
      "link": link.part,
    ]
  }

  /// Mark of a footnote: a … z, then numbers.
  private static func mark(_ index: Int) -> String {
    index < 26 ? String(Character(Unicode.Scalar(UInt8(97 + index)))) : "\(index + 1)"
  }
}
