import Gate
import Platform

/// The section of a report with figures over commits: those that changed, the gravest first.
package struct HistorySection {
  private let history: History
  private let command: String

  /// Number of drawings; `choir-eval history plot` draws all.
  private static let maxDrawings = 6

  /// - Parameter command: the command line that makes the report again.
  package init(_ history: History, command: String) {
    (self.history, self.command) = (history, command)
  }

  package func section() throws -> Section {
    let (test, series) = (ChangePointTest(), try history.series())
    let changed = series.map { one in
      (
        series: one,
        changes: test.changes(
          in: one.values, figures: series.count, minimumEffect: one.minimumEffect)
      )
    }.filter { !$0.changes.isEmpty }
    let drawn = changed.sorted { size($0) > size($1) }.map(\.series)
    let drawings = HistoryDrawings(drawn, figures: series.count, command: command).drawings()
    return Section(
      id: "history", title: "Over commits",
      intro:
        "\(counted(history.commits, "commit")) and \(counted(series.count, "figure")), of which "
        + "\(changed.count) changed their level. At most \(test.falseAlarmsPerCommit) false changes "
        + "per commit are expected over all figures.",
      drawings: Array(drawings.prefix(Self.maxDrawings)),
      tables: changed.isEmpty ? [] : [table(changed)])
  }

  private typealias Changed = (series: FigureSeries, changes: [ChangePoint])

  /// The largest change in units of the minimum effect.
  private func size(_ one: Changed) -> Double {
    let largest = one.changes.map { abs($0.after - $0.before) }.max() ?? 0
    return largest / max(one.series.minimumEffect, 1e-9)
  }

  private func table(_ changed: [Changed]) -> Table {
    let rows = changed.flatMap { one in
      one.changes.map { (series: one.series, change: $0, record: one.series.records[$0.index]) }
    }
    return Table(
      id: "history-table", title: "Every change of level", of: rows,
      [
        .text("commit", "commit") { $0.record.commit },
        .text("date", "date") { String($0.record.date.prefix(10)) },
        .text("figure", "figure") { $0.series.name },
        .number("before", "before") { $0.change.before },
        .number("after", "after") { $0.change.after }, .text("unit", "unit") { $0.series.unit },
      ])
  }
}
