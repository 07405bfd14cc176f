import Metrics
import Sweep

/// Tables of metrics of each voice.
enum VoiceTables {
  /// A voice under one setting.
  typealias Row = (summary: SettingSummary, voice: SettingSummary.Voice)

  static func rows(of summaries: [SettingSummary]) -> [Row] {
    summaries.flatMap { summary in summary.voices.map { (summary, $0) } }
  }

  /// Returns a table of those of the metrics that any voice has; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - first: the columns before the voice.
  ///   - note: begins the note, which explains the metrics.
  static func table(
    _ id: String, _ title: String, of metrics: [Metric], _ summaries: [SettingSummary],
    _ first: [Table.Field<SettingSummary>], _ note: String, style: NumberStyle
  ) -> Table? {
    let rows = rows(of: summaries)
    let measured = metrics.filter { metric in rows.contains { $0.voice.figures[metric.id] != nil } }
    guard !measured.isEmpty else { return nil }
    let fields: [Table.Field<Row>] =
      first.map { $0.of(\.summary) } + [.text("voice", "voice") { $0.voice.label }]
      + measured.map { metric in
        .titled(
          metric.id, unit: ["ratio", "count"].contains(metric.unit) ? "" : metric.unit,
          style: style, otherwise: "no recording on which it is defined"
        ) { $0.voice.figures[metric.id]?.value }
      }
    return Table(
      id: id, title: title, of: rows, fields,
      note: "\(note) " + measured.map { "\($0.id): \($0.summary)." }.joined(separator: " "))
  }
}
