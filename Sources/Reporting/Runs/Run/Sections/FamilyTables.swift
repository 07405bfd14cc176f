import Metrics
import Sweep

/// Tables of metrics of each voice: one for each family that no other table of the page shows.
struct FamilyTables {
  private static let families = [
    "control", "timbre", "words", "consonants", "artefacts", "own",
  ]

  /// A voice under one setting.
  typealias Row = (summary: SettingSummary, voice: SettingSummary.Voice)

  static func rows(of summaries: [SettingSummary]) -> [Row] {
    summaries.flatMap { summary in summary.voices.map { (summary, $0) } }
  }

  /// Columns of the settings, in the order of the plan.
  let settings: [Table.Field<SettingSummary>]

  /// One table for each family with a measured metric.
  func tables(_ rows: [SettingSummary], _ suffix: String) -> [Table] {
    MetricFamily.all.filter { Self.families.contains($0.id) }.compactMap { family in
      Self.table(
        "metrics-\(family.id)\(suffix)", family.title, of: family.metrics, rows, settings,
        "Medians over recordings.", percents: true)
    }
  }

  /// Returns a table of those of the metrics that any voice has; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - first: the columns before the voice.
  ///   - note: begins the note, which explains the metrics.
  ///   - percents: true to show shares in percent.
  static func table(
    _ id: String, _ title: String, of metrics: [Metric], _ summaries: [SettingSummary],
    _ first: [Table.Field<SettingSummary>], _ note: String, style: NumberStyle = .significant(3),
    percents: Bool = false
  ) -> Table? {
    let rows = rows(of: summaries)
    let measured = metrics.filter { metric in rows.contains { $0.voice.figures[metric.id] != nil } }
    guard !measured.isEmpty else { return nil }
    let fields: [Table.Field<Row>] =
      first.map { $0.of(\.summary) } + [.text("voice", "voice") { $0.voice.label }]
      + measured.map { metric in
        let isPercent = percents && metric.unit == "share"
        let unit = ["ratio", "count"].contains(metric.unit) ? "" : metric.unit
        return .titled(
          metric.id, unit: isPercent ? "%" : unit, style: style,
          otherwise: "no recording on which it is defined"
        ) { $0.voice.figures[metric.id].map { isPercent ? $0.value * 100 : $0.value } }
      }
    return Table(
      id: id, title: title, of: rows, fields,
      note: "\(note) " + measured.map { "\($0.id): \($0.summary)." }.joined(separator: " "))
  }
}
