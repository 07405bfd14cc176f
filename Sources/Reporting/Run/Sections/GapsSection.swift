import Files
import Sweep

/// The values that are missing, with their reasons.
struct GapsSection {
  let facts: RunFacts

  func section() -> Section? {
    let undefined = facts.undefined
    let tables = [
      failed,
      table("undefined", "Missing: a value was possible", undefined, byNature: false),
      table(
        "undefined-by-nature", "Doesn't apply: no value is possible", undefined, byNature: true),
    ].filter { !$0.rows.isEmpty }
    guard !tables.isEmpty else { return nil }
    return Section(id: "gaps", title: "Missing values", tables: tables)
  }

  private func table(
    _ id: String, _ title: String, _ undefined: [UndefinedCount], byNature: Bool
  ) -> Table {
    // One row for each reason, because many metrics share one.
    var order: [String] = []
    var reasons: [String: (count: Int, metrics: [String])] = [:]
    for one in undefined where one.isByNature == byNature {
      let kind = one.kind
      if reasons[kind] == nil { order.append(kind) }
      let known = reasons[kind] ?? (0, [])
      reasons[kind] = (known.count + one.count, known.metrics + [one.metric])
    }
    let rows = order.sorted { reasons[$0]!.count > reasons[$1]!.count }.map { kind in
      let found = reasons[kind]!
      return [
        Table.Cell.text(kind), .amount(Amount(Double(found.count))),
        .text(Self.shortened(found.metrics.uniqued())),
      ]
    }
    var table = Table(
      id: id, title: title,
      columns: [
        .text("reason", "reason"), .number("count", "count", style: .decimals(0)),
        .text("metrics", "metrics"),
      ], rows: rows,
      note: byNature
        ? "No subject could give these a value: the recording or the score has nothing of the kind."
        : "# stands for a number that differs between cells.")
    table.mostShown = 12
    return table
  }

  private static func shortened(_ metrics: [String]) -> String {
    metrics.prefix(4).joined(separator: ", ")
      + (metrics.count > 4 ? " and \(metrics.count - 4) more" : "")
  }

  private var failed: Table {
    var table = Table(
      id: "failed", title: "Failed cells",
      columns: [
        .text("recording", "recording"), .text("settings", "settings"), .text("reason", "reason"),
      ],
      rows: facts.run.failures.map { [.text($0.recording), .text($0.settings), .text($0.reason)] })
    table.isInSummary = true
    return table
  }
}
