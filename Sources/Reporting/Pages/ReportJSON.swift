import Foundation

extension ReportPage {
  /// Encodes the page as JSON: sorted keys, missing values as null with a reason.
  func json(sounds: SoundStore) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(ReportJSON(self, sounds: sounds)) + Data("\n".utf8)
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
    let change: String
    /// Grade: `good`, `fair` or `poor`.
    let grade: QualityScale.Grade?
    let scale: Scale?
  }

  struct Scale: Encodable {
    let good: Double
    let fair: Double
    let moreIsBetter: Bool
    let meaning: String
    let source: String
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

  struct Clip: Encodable {
    let id: String
    let title: String
    let note: String
    let sounds: [SoundJSON]
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
  let verdict: PageVerdict
  let coverage: String
  let headlines: [Headline]
  struct Subpage: Encodable {
    let id: String
    let title: String
    let subtitle: String
    let sections: [Section]
  }

  let sections: [Section]
  let subpages: [Subpage]
  let reading: [Remark]
  let provenance: [Remark]
  let command: String

  init(_ page: ReportPage, sounds: SoundStore) {
    (title, subtitle, verdict, command) = (page.title, page.subtitle, page.verdict, page.command)
    (reading, provenance, coverage) = (page.reading, page.provenance, page.coverage)
    headlines = page.headlines.map {
      Headline(
        title: $0.title, value: $0.amount, unit: $0.unit, interval: $0.interval, count: $0.count,
        counted: $0.counted, change: $0.change, grade: $0.grade,
        scale: $0.scale.map {
          Scale(
            good: $0.good, fair: $0.fair, moreIsBetter: $0.moreIsBetter, meaning: $0.meaning,
            source: $0.source)
        })
    }
    sections = page.sections.map { Section($0, sounds: sounds) }
    subpages = page.subpages.map {
      Subpage(
        id: $0.id, title: $0.title, subtitle: $0.subtitle,
        sections: $0.sections.map { Section($0, sounds: sounds) })
    }
  }
}

extension ReportJSON.Section {
  init(_ section: Section, sounds: SoundStore) {
    (id, title, intro, tables) = (section.id, section.title, section.intro, section.tables)
    figures = section.drawings.map {
      ReportJSON.Figure(
        id: $0.id, title: $0.title, shows: $0.shows, omits: $0.omits, command: $0.command,
        files: ReportFiles.figure($0.id), table: $0.content.summary(id: $0.id))
    }
    clips = section.allClips.map { clip in
      ReportJSON.Clip(
        id: clip.id, title: clip.title, note: clip.note,
        sounds: SoundJSON.all(of: clip, on: sounds))
    }
  }
}
