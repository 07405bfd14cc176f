import Platform
import Gate
import Metrics

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
    let style = NumberStyle.significant(3)
    let voice = one.voice.map { " of voice \($0)" } ?? ""
    let values =
      one.baseline.flatMap { before in
        one.candidate.map { " from \(style.text(before)) to \(style.text($0)) \(one.unit)" }
      } ?? ""
    return "\(one.metric)\(voice)\(values) (\(one.reason))"
  }

  private func table(_ changed: [MetricDifference]) -> Table {
    var table = Table(
      id: "changes-table", title: "Every figure that is not within noise",
      columns: [
        .text("verdict", "verdict"), .text("metric", "metric"), .text("voice", "voice"),
        .text("configuration", "setting"), .number("baseline", "baseline"),
        .number("candidate", "now"), .text("unit", "unit"),
        .number("worsening", "worse by"), .number("low", "from"), .number("high", "to"),
        .number("effects", "minimum effects", unit: "×", style: .significant(2)),
        .number("recordings", "recordings", style: .decimals(0)),
        .text("worst", "worst recording"), .text("reason", "reason"),
      ], rows: changed.map(row),
      note: "Means over recordings. Worse by: below 0 is better; from and to: 95 % interval by "
        + "draws of recordings. Significance is corrected over all figures (Holm).")
    (table.mostShown, table.isInSummary) = (30, true)
    return table
  }

  private func row(_ one: MetricDifference) -> [Table.Cell] {
    let few = "fewer than five recordings"
    let gone = "no value on both sides"
    let worst = one.extreme.map { instance -> Table.Cell in
      let name = Table.Cell.text(instance.recording)
      return addresses[instance.cell].map { .linked(name, to: $0) } ?? name
    }
    return [
      .text(one.verdict.rawValue), .text(one.metric), .text(one.voice ?? "all"),
      .text(one.configuration), .amount(Amount(one.baseline, otherwise: gone)),
      .amount(Amount(one.candidate, otherwise: gone)), .text(one.unit),
      .amount(Amount(one.worsening, otherwise: gone)),
      .amount(Amount(one.interval?.lowerBound, otherwise: few)),
      .amount(Amount(one.interval?.upperBound, otherwise: few)),
      .amount(Amount(one.effects, otherwise: gone)), .amount(Amount(Double(one.recordings))),
      worst ?? .text(""), .text(one.reason),
    ]
  }

  private func broken(_ comparison: RunComparison) -> Table {
    Table(
      id: "changes-broken", title: "Failed cells that the baseline measured",
      columns: [.text("cell", "cell"), .text("reason", "reason")],
      rows: comparison.broken.map { [.text($0.cell.description), .text($0.reason)] })
  }
}
