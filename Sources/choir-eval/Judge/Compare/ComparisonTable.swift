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
    for table in comparison.reach { answer.figures("\n" + table.text) }
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

  /// Figures that changed, but for the inconclusive ones.
  private var changed: [MetricDifference] {
    comparison.differences.filter { [.regression, .improvement].contains($0.verdict) }
  }

  /// A row for each change with the recording that decided, and a line that counts the inconclusive ones.
  var changes: String {
    let rows = changed.prefix(rowLimit)
    let manyScores = Set(comparison.differences.map(\.score)).count > 1
    var table = TextTable(
      header: ["verdict", "metric", "voice"] + (manyScores ? ["score"] : [])
        + ["settings", "recording", "before", "after", "unit", "why"])
    for found in rows {
      let place = found.extreme
      table.rows.append(
        [found.verdict.rawValue, found.metric, found.voice ?? "all"]
          + (manyScores ? [found.score] : [])
          + [
            settings(found), place?.recording ?? "–", short(place?.baseline),
            short(place?.candidate), found.unit, found.reason,
          ])
    }
    let left = changed.count - rows.count
    return [
      table.rows.isEmpty ? "" : table.text(), left > 0 ? "… and \(left) more that changed" : "",
      inconclusive,
    ].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The number of inconclusive figures, with their metrics and voices: `pitch.bias (-5, +4)`.
  var inconclusive: String {
    let found = comparison.differences.filter { $0.verdict == .inconclusive }
    guard !found.isEmpty else { return "" }
    return "\(counted(found.count, "figure")) \(found.count == 1 ? "is" : "are") inconclusive: "
      + Dictionary(grouping: found, by: \.metric).sorted { $0.key < $1.key }.map { metric, all in
        let voices = all.compactMap(\.voice).uniqued()
        return metric + (voices.isEmpty ? "" : " (\(voices.joined(separator: ", ")))")
      }.joined(separator: ", ")
  }

  /// Commands that explain the worst recording of each metric that got worse.
  private var explanations: [String] {
    var seen: Set<String> = []
    let commands = changed.prefix(rowLimit).filter { $0.verdict == .regression }
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

  var legend: String {
    """
    A figure is one metric of one voice and setting over all recordings; before and after are those of the \
    recording that changed most. minimum effect: the smallest change that counts; detectable: the smallest \
    mean change that 95 of 100 such comparisons would find. Positive changes are worse.
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
}
