import Gate
import Platform

/// Figures over commits: one drawing a metric, one series a voice, with the levels between change
/// points as lines.
package struct HistoryDrawings {
  private let series: [FigureSeries]
  private let test: ChangePointTest
  private let figures: Int
  private let command: String

  /// - Parameters:
  ///   - series: the figures to draw.
  ///   - figures: number of figures of the whole history, which decides what is significant.
  ///   - command: the command line that draws them again.
  package init(
    _ series: [FigureSeries], figures: Int, test: ChangePointTest = ChangePointTest(),
    command: String
  ) {
    (self.series, self.figures, self.test, self.command) = (series, figures, test, command)
  }

  package func drawings() -> [Drawing] {
    struct Group: Hashable {
      var plan: String
      var metric: String
      var score: String
      var configuration: String
      var version: Int
      var machine: String?
    }
    let groups = Dictionary(grouping: series.filter { $0.records.count > 1 }) { one in
      Group(
        plan: one.plan, metric: one.key.figure.metric, score: one.key.score,
        configuration: one.key.configuration, version: one.version, machine: one.machine)
    }
    let sorted = groups.values.sorted { ($0[0].key, $0[0].plan) < ($1[0].key, $1[0].plan) }
    return sorted.enumerated().compactMap { number, group in
      drawing(group.sorted { $0.key < $1.key }, number: number)
    }
  }

  private func drawing(_ group: [FigureSeries], number: Int) -> Drawing? {
    guard let first = group.first else { return nil }
    let key = first.key
    let shown = group.prefix(PlotPalette.series.count)
    let place = [key.score, key.configuration].filter { !$0.isEmpty }.joined(separator: " · ")
    // A voice may lack some commits, so places are those of all commits of the group.
    let dates = Dictionary(group.flatMap(\.records).map { ($0.commit, $0.date) }) { first, _ in
      first
    }
    let commits = dates.keys.sorted { (dates[$0]!, $0) < (dates[$1]!, $1) }
    return Drawing(
      id: "history-\(number + 1)",
      title: "\(key.figure.metric) over \(counted(commits.count, "commit"))"
        + (place.isEmpty ? "" : ", \(place)"),
      shows: "Points are commits, the oldest on the left: 1 is \(commits[0]), "
        + "\(commits.count) is \(commits[commits.count - 1]). Lines are the levels between "
        + "change points.",
      omits: "commits that were not added, and changes below the minimum effect of "
        + "\(NumberStyle.significant(3).text(first.minimumEffect)) \(first.unit)."
        + (group.count > shown.count ? " \(group.count - shown.count) more voices." : ""),
      command: command,
      plot: CurvePlot(
        x: Axis("commit", unit: ""), y: Axis(key.figure.metric, unit: first.unit),
        seriesTitle: group.count > 1 ? "voice" : "",
        series: shown.map { curve($0, at: commits) }, law: "the levels between change points"))
  }

  private func curve(_ one: FigureSeries, at commits: [String]) -> CurvePlot.Series {
    let values = one.values
    let places = one.records.map { Double(commits.firstIndex(of: $0.commit)! + 1) }
    let changes = test.changes(in: values, figures: figures, minimumEffect: one.minimumEffect)
    // Two points at the same place draw the step.
    let levels = changes.isEmpty ? [] : ([changes[0].before] + changes.map(\.after))
    let ends = [0] + changes.map(\.index) + [values.count]
    let lines = levels.enumerated().flatMap { part, level -> [CurvePlot.Point] in
      let (start, end) = (places[ends[part]] - 0.5, places[ends[part + 1] - 1] + 0.5)
      return [CurvePlot.Point(start, Amount(level)), CurvePlot.Point(end, Amount(level))]
    }
    return CurvePlot.Series(
      one.key.figure.voice ?? "all",
      points: zip(places, values).map { CurvePlot.Point($0, Amount($1)) }, law: lines)
  }
}
