import Metrics
import Platform
import Sweep

/// The values that are missing, with their reasons.
struct GapsSection {
  let facts: RunFacts

  func section() -> Section? {
    let undefined = facts.undefined
    let tables = [
      failed,
      table("undefined", "Missing: a value was possible", undefined, doesNotApply: false),
      table(
        "undefined-by-nature", "Doesn't apply: no value is possible", undefined, doesNotApply: true),
    ].filter { !$0.rows.isEmpty }
    guard !tables.isEmpty else { return nil }
    return Section(id: "gaps", title: "Missing values", tables: tables)
  }

  private func table(
    _ id: String, _ title: String, _ undefined: [UndefinedCount], doesNotApply: Bool
  ) -> Table {
    // One row for each reason, because many metrics share one.
    let reasons = undefined.filter { $0.doesNotApply == doesNotApply }.grouped(by: \.reason.code)
    let rows = reasons.map { same in
      (
        example: same.map(\.reason.detail).min()!, count: same.reduce(0) { $0 + $1.count },
        metrics: same.map(\.metric)
      )
    }.sorted { $0.count > $1.count }
    return Table(
      id: id, title: title, of: rows,
      [
        .text("reason", "reason", \.example), .count("count", nil, \.count),
        .text("metrics", "metrics") { Self.shortened($0.metrics.uniqued()) },
      ],
      note: doesNotApply
        ? "No subject could give these a value: the recording or the score has nothing of the kind."
        : "Numbers in a reason are those of one cell; they differ between cells.",
      maxShown: 12)
  }

  private static func shortened(_ metrics: [String]) -> String {
    metrics.prefix(4).joined(separator: ", ")
      + (metrics.count > 4 ? " and \(metrics.count - 4) more" : "")
  }

  private var failed: Table {
    Table(
      id: "failed", title: "Failed cells", of: facts.run.failures,
      [
        .text("recording", "recording", \.recording), .text("settings", "settings", \.settings),
        .text("reason", "reason", \.reason),
      ], isInSummary: true)
  }
}
