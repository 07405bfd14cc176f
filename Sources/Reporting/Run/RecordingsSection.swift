import Analyzer
import Evaluation

/// What was sung: each recording, how well its own pitch is known, and how the choir did on it.
struct RecordingsSection {
  let run: StoredRun
  let corpus: Corpus

  /// - Parameter best: the setting whose errors are shown.
  func section(best: SettingSummary?) -> Section? {
    let rows = corpus.entries.compactMap { entry in row(entry, best) }
    guard !rows.isEmpty else { return nil }
    let table = Table(
      id: "each-recording", title: "Every recording, clean",
      columns: [
        .text("recording", "recording"), .text("voice", "voice"), .text("shows", "shows"),
        .number("excluded_percent", "left out", unit: "%", style: .decimals(1)),
        .number("uncertainty_cents", "uncertain by", unit: "cents", style: .decimals(1)),
        .number("error_cents", "pitch error", unit: "cents", style: .decimals(1)),
        .number("p95_cents", "p95", unit: "cents", style: .decimals(0)),
      ], rows: rows,
      note:
        "Errors at the setting that is most in tune, mean of voices. Left out: voiced frames on "
        + "which two trackers disagree; none where the pitch is known exactly.")
    return Section(id: "recordings", title: "What was sung", tables: [table])
  }

  private func row(_ entry: ManifestEntry, _ best: SettingSummary?) -> [Table.Cell]? {
    let cells = run.cells.filter {
      $0.recording == entry.id && $0.condition == "clean" && $0.settings == best?.settings
        && $0.subject == best?.subject && $0.kind != "probe"
    }
    guard let cell = cells.first else { return nil }
    func mean(_ metric: String) -> Amount {
      let values = cells.flatMap { cell in
        (0..<cell.score.voiceCount).compactMap { cell.value(metric, voice: $0) }
      }
      return Amount(Statistics.mean(values), otherwise: "no voiced frames")
    }
    return [
      .text(entry.id), .text(entry.voice), .text(entry.shows),
      .amount(
        Amount(cell.value("truth.excluded").map { $0 * 100 }, otherwise: "no voice was heard")),
      .amount(Amount(cell.value("truth.uncertainty"), otherwise: "no voice was heard")),
      .amount(mean("pitch.abs_error")), .amount(mean("pitch.abs_error.p95")),
    ]
  }
}
