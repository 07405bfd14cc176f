import CommandSupport
import Foundation
import Gate
import Platform
import Reporting

/// A history for a terminal: a line for each figure, then the change points from the newest.
struct HistoryText {
  struct Line: Encodable {
    var figure: FigureKey
    var plan: String
    var unit: String
    var commits: Int
    var first: Double
    var latest: Double
    var changes: [Change]
    /// Commits with a new level until a change of the minimum effect is found; `nil` if more than 100
    /// would not do or the noise is unknown.
    var needed: Int?
  }

  struct Change: Encodable {
    var commit: String
    var date: String
    var before: Double
    var after: Double
  }

  private let commits: Int
  private let falseAlarmsPerCommit: Double
  private let figures: [Line]

  var json: JSONObject {
    [
      "schema": "choir-eval.history/1", "commits": commits,
      "falseAlarmsPerCommit": falseAlarmsPerCommit, "figures": figures,
    ]
  }

  /// - Parameter series: the figures to list; all figures of the history share the false alarms.
  init(
    _ history: History, series: [FigureSeries], falseAlarmsPerCommit: Double, onlyChanged: Bool
  ) {
    var test = ChangePointTest()
    test.falseAlarmsPerCommit = falseAlarmsPerCommit
    let all = (try? history.series().count) ?? series.count
    let lines = series.map { one in
      let changes = test.changes(in: one.values, figures: all, minimumEffect: one.minimumEffect)
      return Line(
        figure: one.key, plan: one.plan, unit: one.unit, commits: one.records.count,
        first: one.values[0], latest: one.values[one.values.count - 1],
        changes: changes.map {
          let record = one.records[$0.index]
          return Change(
            commit: record.commit, date: record.date, before: $0.before, after: $0.after)
        },
        needed: test.commitsNeeded(
          after: Array(one.values[(changes.last?.index ?? 0)...]), figures: all,
          size: one.minimumEffect))
    }
    (commits, self.falseAlarmsPerCommit) = (history.commits, falseAlarmsPerCommit)
    figures = lines.filter { !onlyChanged || !$0.changes.isEmpty }
  }

  func text() -> String {
    let style = NumberStyle.significant(3)
    var table = TextTable(header: [
      "metric", "voice", "score", "settings", "commits", "first", "latest", "unit", "changes",
      "needs",
    ])
    for line in figures {
      let key = line.figure
      table.rows.append([
        key.figure.metric, key.figure.voice ?? "all", key.score,
        key.configuration.isEmpty ? "–" : key.configuration, "\(line.commits)",
        style.text(line.first), style.text(line.latest), line.unit,
        line.changes.isEmpty ? "–" : "\(line.changes.count)",
        line.needed.map { "\($0)" } ?? (line.commits < 3 ? "–" : "> 100"),
      ])
    }
    var points = TextTable(header: ["changed at", "date", "figure", "before", "after", "unit"])
    let found = figures.flatMap { line in line.changes.map { (line, $0) } }
      .sorted { ($1.1.date, $0.0.figure) < ($0.1.date, $1.0.figure) }
    for (line, change) in found {
      points.rows.append([
        change.commit, String(change.date.prefix(10)), "\(line.figure)",
        style.text(change.before), style.text(change.after), line.unit,
      ])
    }
    let rate = format(falseAlarmsPerCommit, 4)
    return [
      "\(counted(commits, "commit")), \(counted(figures.count, "figure")), \(counted(found.count, "change point"))",
      figures.isEmpty ? "" : table.text(), found.isEmpty ? "" : points.text(),
      "Change points: at most \(rate) false ones per commit over all figures; two commits at least on "
        + "either side. needs: how many commits must have a new level until a change of the minimum "
        + "effect is found with a probability of 80 %; a larger change needs fewer.",
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
