import CommandSupport
import Gate
import Metrics
import Platform
import Reporting

/// A comparison of two runs for a terminal: the verdict, the changes with the commands that explain
/// them, unmatched cells, and the minimum detectable effects of unchanged figures.
struct ComparisonTable {
  let comparison: RunComparison
  /// Options after `choir-eval explain CELL METRIC`, such as `--run smoke`.
  var explainOptions = ""
  /// Maximum number of rows in a table; those left out are counted.
  var rowLimit = 40

  init(_ comparison: RunComparison, explainOptions: String = "", rowLimit: Int = 40) {
    self.comparison = comparison
    shared = Self.shared(by: comparison)
    self.explainOptions = explainOptions
    self.rowLimit = rowLimit
  }

  func text() -> String {
    var answer = AnswerText()
    write(to: &answer)
    return answer.description
  }

  func write(to answer: inout AnswerText) {
    answer.remark([headline, ""] + cells)
    if !changes.isEmpty { answer.figures("\n" + changes) }
    if !explanations.isEmpty { answer.remark([""] + explanations) }
    if !unchanged.isEmpty { answer.figures("\n" + unchanged) }
    answer.figures("\n" + legend)
  }

  // MARK: - Verdict

  /// The verdict with its counts; a report begins with the same words.
  var headline: String {
    let total = comparison.differences.count
    let others = [ComparisonVerdict.regression, .inconclusive, .improvement, .withinNoise]
      .filter { comparison.count($0) > 0 }
      .map { verdict in
        let count = comparison.count(verdict)
        let isNoun = verdict == .regression || verdict == .improvement
        return isNoun ? counted(count, verdict.rawValue) : "\(count) \(verdict.rawValue)"
      }
    guard total > 0 else { return "inconclusive: no figure has a value on both sides" }
    return "\(comparison.verdict.rawValue): of \(total) figures, " + others.joined(separator: ", ")
  }

  private var cells: [String] {
    var lines = ["\(counted(comparison.pairedCells, "cell")) on both sides\(ofConfiguration)."]
    lines += named("of the baseline are missing", comparison.missing.map { "\($0)" })
    lines += named("are not in the baseline", comparison.added.map { "\($0)" })
    lines += named(
      "failed that the baseline measured",
      comparison.broken.map { "\($0.cell): \($0.reason)" })
    if comparison.failedOnBoth > 0 {
      lines.append("\(counted(comparison.failedOnBoth, "cell")) failed on both sides.")
    }
    return lines
  }

  private func named(_ what: String, _ names: [String]) -> [String] {
    guard !names.isEmpty else { return [] }
    let shown = names.prefix(8).map { "  \($0)" }
    let more = names.count > 8 ? ["  and \(names.count - 8) more"] : []
    return ["\(counted(names.count, "cell")) \(what):"] + shown + more
  }

  // MARK: - Changes

  private var worthARow: ArraySlice<MetricDifference> {
    comparison.differences.filter { $0.verdict != .withinNoise }.prefix(rowLimit)
  }

  var changes: String {
    guard !worthARow.isEmpty else { return "" }
    let manyScores = Set(comparison.differences.map(\.score)).count > 1
    var table = TextTable(
      header: ["verdict", "metric", "voice"] + (manyScores ? ["score"] : []) + ["settings"]
        + [
          "before", "after", "worse by", "95 %", "unit", "minimum effect", "detectable", "n", "why",
        ])
    for found in worthARow {
      table.rows.append(
        [found.verdict.rawValue, found.metric, found.voice ?? "all"]
          + (manyScores ? [found.score] : []) + [settings(found)]
          + [
            short(found.baseline), short(found.candidate), signed(found.worsening),
            found.interval.map { "[\(signed($0.lowerBound)), \(signed($0.upperBound))]" } ?? "–",
            found.unit, short(max(found.minimumEffect, found.noise)),
            short(found.minimumDetectableEffect), "\(found.recordings)", found.reason,
          ])
    }
    let left = comparison.differences.count { $0.verdict != .withinNoise } - worthARow.count
    return table.text() + (left > 0 ? "\n… and \(left) more that changed" : "")
  }

  /// Commands that explain the worst recording of each metric that got worse.
  private var explanations: [String] {
    var seen: Set<String> = []
    let commands = worthARow.filter { $0.verdict == .regression || $0.verdict == .inconclusive }
      .compactMap { found -> String? in
        guard let command = explanation(of: found), let extreme = found.extreme,
          seen.insert(found.metric).inserted
        else { return nil }
        return "  \(command)  # \(extreme.recording)"
          + (extreme.condition == "clean" ? "" : " · \(extreme.condition)")
          + ": \(short(extreme.baseline)) → \(short(extreme.candidate))"
      }
    return commands.isEmpty ? [] : ["Explain the worst cells:"] + commands.prefix(12)
  }

  /// Returns the command that explains a difference; `nil` if the cell can't be rendered again.
  func explanation(of found: MetricDifference) -> String? {
    guard let extreme = found.extreme, !extreme.cell.isEmpty else { return nil }
    let options = explainOptions.isEmpty ? "" : " " + explainOptions
    return "choir-eval explain \(extreme.cell.prefix(12)) \(found.metric)\(options)"
  }

  // MARK: - Unchanged figures

  /// One row for each metric within noise.
  var unchanged: String {
    let quiet = comparison.differences.filter { $0.verdict == .withinNoise }
    let byMetric = Dictionary(grouping: quiet, by: \.metric)
    guard !byMetric.isEmpty else { return "" }
    var table = TextTable(
      header: ["within noise", "figures", "worst change", "unit", "minimum effect", "detectable"])
    for metric in Metric.all {
      guard let found = byMetric[metric.id], let first = found.first else { continue }
      let worst = found.max { ($0.worsening ?? 0) < ($1.worsening ?? 0) }
      let detectable = found.compactMap(\.minimumDetectableEffect)
      table.rows.append([
        metric.id, "\(found.count)", signed(worst?.worsening), metric.unit,
        short(max(first.minimumEffect, first.noise)), short(detectable.max()),
      ])
    }
    return table.text()
  }

  var legend: String {
    """
    Positive is worse. A figure is the mean of one metric, voice and setting over recordings; n is \
    their number, and bootstrap draws resample them. minimum effect: the smallest change that counts; \
    detectable: the smallest change that 95 of 100 such comparisons would find.
    """
  }

  // MARK: - Settings and numbers

  /// The settings that all configurations share, which are printed once.
  private let shared: Set<Substring>

  private static func shared(by comparison: RunComparison) -> Set<Substring> {
    let all = Set(comparison.differences.map(\.configuration)).map { Set($0.split(separator: " ")) }
    guard let first = all.first else { return [] }
    return all.dropFirst().reduce(first) { $0.intersection($1) }
  }

  private var ofConfiguration: String {
    guard let one = comparison.differences.first?.configuration else { return "" }
    let words = one.split(separator: " ").filter(shared.contains)
    return words.isEmpty ? "" : ", of " + words.joined(separator: " ")
  }

  private func settings(_ found: MetricDifference) -> String {
    let own = found.configuration.split(separator: " ").filter { !shared.contains($0) }
    return own.isEmpty ? "–" : own.joined(separator: " ")
  }

  /// Formats a number with three significant digits.
  private func short(_ value: Double?) -> String {
    guard let value else { return "–" }
    // Equal sums in another order leave a rounding error.
    return NumberStyle.significant(3).text(abs(value) < 1e-9 ? 0 : value)
  }

  private func signed(_ value: Double?) -> String {
    (value.map { $0 >= 1e-9 } ?? false ? "+" : "") + short(value)
  }
}
