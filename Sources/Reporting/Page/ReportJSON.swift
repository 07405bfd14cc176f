import Foundation

extension ReportPage {
  /// The page as data: sorted keys, missing values null with a reason.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(self)) + Data("\n".utf8)
  }
}

/// The schema `choir-eval.report/1`.
private struct ReportJSON: Encodable {
  struct Headline: Encodable {
    let title: String
    let value: Amount
    let unit: String
    let interval: Bounds?
    let count: Int
    let counted: String
  }

  struct Figure: Encodable {
    let id: String
    let title: String
    let shows: String
    let omits: String
    let command: String
    let files: [String]
    let table: Table
  }

  struct Sound: Encodable {
    let name: String
    let detail: String
    let file: String
  }

  struct Clip: Encodable {
    let id: String
    let title: String
    let note: String
    let sounds: [Sound]
  }

  struct Section: Encodable {
    let id: String
    let title: String
    let intro: String
    let figures: [Figure]
    let tables: [Table]
    let clips: [Clip]
  }

  let schema = "choir-eval.report/1"
  let title: String
  let subtitle: String
  let verdict: Verdict
  let headlines: [Headline]
  let sections: [Section]
  let reading: [Remark]
  let provenance: [Remark]
  let command: String

  init(_ page: ReportPage) {
    (title, subtitle, verdict, command) = (page.title, page.subtitle, page.verdict, page.command)
    (reading, provenance) = (page.reading, page.provenance)
    headlines = page.headlines.map {
      Headline(
        title: $0.title, value: $0.amount, unit: $0.unit, interval: $0.interval, count: $0.count,
        counted: $0.counted)
    }
    sections = page.sections.map { section in
      Section(
        id: section.id, title: section.title, intro: section.intro,
        figures: section.figures.map {
          Figure(
            id: $0.id, title: $0.title, shows: $0.shows, omits: $0.omits, command: $0.command,
            files: ReportFiles.figure($0.id), table: $0.content.summary(id: $0.id))
        },
        tables: section.tables,
        clips: section.clips.map { clip in
          Clip(
            id: clip.id, title: clip.title, note: clip.note,
            sounds: clip.sounds.indices.map {
              Sound(
                name: clip.sounds[$0].name, detail: clip.sounds[$0].detail,
                file: ReportFiles.sound($0, of: clip))
            })
        })
    }
  }
}
