import Corpus
import Statistics
import Subjects
import Sweep

/// The recordings: how well the pitch of each is known, and the choir's error on it.
struct RecordingsSection {
  let facts: RunFacts

  func section() -> Section? {
    let rows: [Row] = facts.corpus.entries.compactMap { entry in
      let cells = facts.chosenCells.filter {
        $0.recording == entry.id && $0.condition == "clean" && !$0.isProbe
      }
      return cells.isEmpty ? nil : (entry, cells)
    }
    guard !rows.isEmpty else { return nil }
    let (unheard, unvoiced) = ("no voice was heard", "no voiced frames")
    let fields: [Table.Field<Row>] = [
      .cell("recording", "recording") { row in
        .linked(.text(row.entry.id), to: Workbench.address(ofCell: row.cells[0].key))
      },
      .text("voice", "voice") { $0.entry.voice }, .text("shows", "shows") { $0.entry.shows },
      .number(
        "excluded_percent", "left out", unit: "%", style: .decimals(1), otherwise: unheard
      ) { $0.cells[0].value("truth.excluded").map { $0 * 100 } },
      .number(
        "uncertainty_cents", "uncertain by", unit: "cents", style: .decimals(1), otherwise: unheard
      ) { $0.cells[0].value("truth.uncertainty") },
      .number(
        "error_cents", "pitch error", unit: "cents", style: .decimals(1), otherwise: unvoiced
      ) { Self.mean("pitch.abs_error", of: $0.cells) },
      .number("p95_cents", "p95", unit: "cents", style: .decimals(0), otherwise: unvoiced) {
        Self.mean("pitch.abs_error.p95", of: $0.cells)
      },
    ]
    let table = Table(
      id: "each-recording", title: "Every recording in the clean condition", of: rows, fields,
      note:
        "Errors at the recommended setting, mean of voices; the name links to a cell of the "
        + "recording. Left out: voiced frames on which two trackers disagree; none if the pitch is "
        + "known exactly.")
    return Section(id: "recordings", title: "Recordings", tables: [table])
  }

  private typealias Row = (entry: ManifestEntry, cells: [CellResult])

  /// Mean of a metric over cells and voices.
  private static func mean(_ metric: String, of cells: [CellResult]) -> Double? {
    Statistics.mean(
      cells.flatMap { cell in
        (0..<cell.score.voiceCount).compactMap { cell.value(metric, voice: $0) }
      })
  }
}
