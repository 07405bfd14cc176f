import CommandSupport
import Statistics
import Sweep

/// A table of a run's settings while it goes on.
enum PreliminaryText {
  /// Returns a table of the settings, best pitch first; `nil` if nothing is known yet.
  ///
  /// It shows the first condition that was measured and the score with the most settings. Each
  /// figure is that of the worst voice. A star marks a setting that no other dominates in pitch
  /// error and latency.
  static func table(_ run: StoredRun) -> String? {
    let summaries = run.summaries(detailed: false)
    let condition = summaries.first?.condition
    let shown = Dictionary(grouping: summaries.filter { $0.condition == condition }) { $0.score.id }
      .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    let rows = (shown?.value ?? []).compactMap(Row.init).sorted { $0.cents.value < $1.cents.value }
    guard let shown, !rows.isEmpty else { return nil }
    let names = run.plan.axisNames
    var table = TextTable(
      header: ["", "recordings"] + names + ["pitch, cents", "missing, %", "latency, ms"])
    for row in rows {
      let isOnFront = row.latencyMs != nil && !rows.contains { $0.beats(row) }
      let choices = names.map { row.summary.choice(of: $0)?.description ?? "–" }
      let missing = format(row.missing.map { 100 * $0 }, 1)
      let figures = [text(row.cents), missing, format(row.latencyMs, 1)]
      table.rows.append([isOnFront ? "*" : "", "\(row.cents.count)"] + choices + figures)
    }
    return "so far: \(run.cells.count) of \(run.plannedCells) cells; score \(shown.key), "
      + "medians over recordings with 95 % intervals, worst voice;\n"
      + "* = no other is both more in tune and less late\n" + table.text()
  }

  private static func text(_ median: RecordingMedian) -> String {
    let interval = median.interval.map {
      " [\(format($0.lowerBound, 1)) to \(format($0.upperBound, 1))]"
    }
    return format(median.value, 1) + (interval ?? "")
  }

  /// One setting.
  private struct Row {
    var summary: SettingSummary
    /// Pitch error of the worst voice.
    var cents: RecordingMedian
    /// Share of frames in which the voice that is missing most is missing.
    var missing: Double?
    /// Sound to sound, or else that of impulses.
    var latencyMs: Double?

    init?(_ summary: SettingSummary) {
      self.summary = summary
      let errors = summary.voices.compactMap(\.errorMedianCents)
      guard let worst = errors.max(by: { $0.value < $1.value }) else { return nil }
      cents = worst
      missing = summary.voices.compactMap { $0.missing?.value }.max()
      latencyMs = summary.onsetLatencyMs?.value ?? summary.latencyMs
    }

    /// True if this setting is at least as good in both figures and better in one.
    func beats(_ other: Row) -> Bool {
      guard let own = latencyMs, let theirs = other.latencyMs else { return false }
      return cents.value <= other.cents.value && own <= theirs
        && (cents.value < other.cents.value || own < theirs)
    }
  }
}
