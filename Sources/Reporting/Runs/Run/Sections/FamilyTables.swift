import Metrics
import Sweep

/// Tables of the other metrics of each voice, one for each family.
struct FamilyTables {
  /// Families that no other table of the page shows.
  private static let families = ["voices", "control", "timbre", "words", "consonants", "artefacts"]

  /// Columns of the settings, in the order of the plan.
  let settingColumns: [Table.Column]
  let settingCells: (SettingSummary) -> [Table.Cell]

  /// One table for each family with a measured metric.
  func tables(_ rows: [SettingSummary], _ suffix: String) -> [Table] {
    MetricFamily.all.filter { Self.families.contains($0.id) }.compactMap { family in
      table(of: family, rows, suffix)
    }
  }

  private func table(
    of family: MetricFamily, _ rows: [SettingSummary], _ suffix: String
  ) -> Table? {
    let metrics = family.metrics.filter { metric in
      rows.contains { $0.voices.contains { $0.figures[metric.id] != nil } }
    }
    guard !metrics.isEmpty else { return nil }
    let columns = metrics.map { metric in
      let unit = Self.unit(metric)
      return Table.Column.number(
        Table.Column.name(metric.id, unit: unit), metric.id, unit: unit, style: .significant(3))
    }
    let cells = rows.flatMap { row in
      row.voices.map { voice in
        settingCells(row) + [.text(voice.label)]
          + metrics.map { metric -> Table.Cell in
            let value = voice.figures[metric.id]?.value
            return .amount(
              Amount(
                value.map { metric.unit == "share" ? $0 * 100 : $0 },
                otherwise: "no recording on which it is defined"))
          }
      }
    }
    return Table(
      id: "metrics-\(family.id)\(suffix)", title: family.title,
      columns: settingColumns + [.text("voice", "voice")] + columns, rows: cells,
      note: "Medians over recordings. "
        + metrics.map { "\($0.id): \($0.summary)." }.joined(separator: " "))
  }

  private static func unit(_ metric: Metric) -> String {
    switch metric.unit {
    case "share": "%"
    case "ratio", "count": ""
    default: metric.unit
    }
  }
}
