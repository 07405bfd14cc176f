import Gate
import Metrics
import Platform

/// The changes from the baseline, the gravest first.
struct ChangesSection {
  let facts: RunFacts
  /// Page and row of each cell.
  let addresses: CellAddresses

  func section() -> Section? {
    guard let baseline = facts.baseline else { return nil }
    let comparison = baseline.comparison
    let changed = comparison.differences.filter { $0.verdict != .withinNoise }
    let quiet = comparison.differences.count - changed.count
    var intro =
      "Compared with \(baseline.name), over \(counted(comparison.pairedCells, "cell")) that both have. "
      + "\(counted(quiet, "figure")) of \(comparison.differences.count) are within noise."
    if !comparison.missing.isEmpty {
      intro += " \(counted(comparison.missing.count, "cell")) of the baseline were not run."
    }
    if !comparison.added.isEmpty {
      intro += " \(counted(comparison.added.count, "cell")) are new."
    }
    return Section(
      id: "changes", title: "Changes", intro: intro,
      tables: [table(changed), broken(comparison)].filter { !$0.rows.isEmpty })
  }

  /// Describes one change in a sentence without a full stop.
  static func words(_ one: MetricDifference) -> String {
    let voice = one.voice.map { " of voice \($0)" } ?? ""
    return "\(one.metric)\(voice): \(one.sentence)"
  }

  private func table(_ changed: [MetricDifference]) -> Table {
    let gone = "no value on both sides"
    let fields: [Table.Field<MetricDifference>] = [
      .text("verdict", "verdict") { $0.verdict.rawValue }, .text("metric", "metric", \.metric),
      .text("voice", "voice") { $0.voice ?? "all" },
      .text("configuration", "setting", \.configuration), .cell("worst", "recording", worst),
      .number("baseline", "baseline", otherwise: gone) { $0.extreme?.baseline },
      .number("candidate", "now", otherwise: gone) { $0.extreme?.candidate },
      .text("unit", "unit", \.unit),
      .number("worsening", "worse by, mean", otherwise: gone, \.worsening),
      .number(
        "effects", "minimum effects", unit: "×", style: .significant(2), otherwise: gone, \.effects),
      .count("recordings", nil, \.recordings), .text("reason", "reason", \.reason),
    ]
    var table = Table(
      id: "changes-table", title: "Every figure that is not within noise", of: changed, fields,
      note: "Baseline and now are those of the recording that changed most; the mean is over all "
        + "recordings, and below 0 is better. The chance of one false verdict in the table is at most "
        + "one in 200.")
    (table.maxShown, table.isInSummary) = (30, true)
    return table
  }

  private func worst(_ one: MetricDifference) -> Table.Cell {
    guard let instance = one.extreme else { return .text("") }
    let name = Table.Cell.text(instance.recording)
    return addresses[instance.cell].map { .linked(name, to: $0) } ?? name
  }

  private func broken(_ comparison: RunComparison) -> Table {
    Table(
      id: "changes-broken", title: "Failed cells that the baseline measured",
      of: comparison.broken,
      [.text("cell", "cell") { $0.cell.description }, .text("reason", "reason", \.reason)])
  }
}
