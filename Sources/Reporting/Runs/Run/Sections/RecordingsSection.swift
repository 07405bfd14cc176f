import Corpus
import Statistics
import Subjects
import Sweep

/// The recordings: how well the pitch of each is known, and the choir's error on it.
struct RecordingsSection {
  let facts: RunFacts
  let clips: ClipPages

  func section() -> Section? {
    let rows = facts.corpus.entries.compactMap(row)
    guard !rows.isEmpty else { return nil }
    let table = Table(
      id: "each-recording", title: "Every recording in the clean condition",
      columns: [
        .text("recording", "recording"), .text("voice", "voice"), .text("shows", "shows"),
        .number("excluded_percent", "left out", unit: "%", style: .decimals(1)),
        .number("uncertainty_cents", "uncertain by", unit: "cents", style: .decimals(1)),
        .number("error_cents", "pitch error", unit: "cents", style: .decimals(1)),
        .number("p95_cents", "p95", unit: "cents", style: .decimals(0)),
      ], rows: rows,
      note:
        "Errors at the recommended setting, mean of voices; the name links to all cells of a "
        + "recording. Left out: voiced frames on which two trackers disagree; none if the pitch is "
        + "known exactly.")
    return Section(id: "recordings", title: "Recordings", tables: [table])
  }

  private func row(_ entry: ManifestEntry) -> [Table.Cell]? {
    let cells = facts.chosenCells.filter {
      $0.recording == entry.id && $0.condition == "clean" && $0.kind != "probe"
    }
    guard let cell = cells.first else { return nil }
    func mean(_ metric: String) -> Amount {
      let values = cells.flatMap { cell in
        (0..<cell.score.voiceCount).compactMap { cell.value(metric, voice: $0) }
      }
      return Amount(Statistics.mean(values), otherwise: "no voiced frames")
    }
    let name = Table.Cell.text(entry.id)
    return [
      clips.address(of: entry.id).map { .linked(name, to: $0) } ?? name, .text(entry.voice),
      .text(entry.shows),
      .amount(
        Amount(cell.value("truth.excluded").map { $0 * 100 }, otherwise: "no voice was heard")),
      .amount(Amount(cell.value("truth.uncertainty"), otherwise: "no voice was heard")),
      .amount(mean("pitch.abs_error")), .amount(mean("pitch.abs_error.p95")),
    ]
  }
}
