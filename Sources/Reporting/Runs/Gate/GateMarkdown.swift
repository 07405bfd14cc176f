import Foundation
import Gate
import Metrics
import Platform

/// A gate's result in Markdown for the summary of a CI job: the verdict, the findings that fail it
/// with the commands that explain them, budgets, and minimum detectable effects.
package struct GateMarkdown {
  /// Maximum size; GitHub accepts 1 MiB.
  static let limitBytes = 1_000_000

  private let result: GateResult
  private let strict: Bool

  package init(_ result: GateResult, strict: Bool = false) {
    (self.result, self.strict) = (result, strict)
  }

  package func text() -> String {
    let blocks = [
      heading, table(of: grave), folded, events, budgets, costs, table(of: mild), noise, detectable,
      provenance,
    ]
    return Self.fitting(blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n")
  }

  /// Cuts a long text at the end of a line and adds a notice.
  static func fitting(_ text: String, limitBytes: Int = limitBytes) -> String {
    guard text.utf8.count > limitBytes else { return text }
    let notice = "\n\n… cut here: the rest is in the JSON of the gate (`--format json`).\n"
    var bytes = 0
    var kept: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      bytes += line.utf8.count + 1
      if bytes > limitBytes - notice.utf8.count { break }
      kept.append(line)
    }
    return kept.joined(separator: "\n") + notice
  }

  private var heading: String {
    let outcome = result.outcome(strict: strict)
    let mark =
      switch outcome {
      case .pass: "✅"
      case .inconclusive: "❔"
      default: "❌"
      }
    let counts = GateFinding.Kind.allCases.filter { result.count($0) > 0 && $0 != .note }
      .map { "\(result.count($0)) \($0.rawValue)" }
    let compared = result.comparison?.differences.count ?? 0
    return """
      ## \(mark) choir-eval gate \(result.plan): \(outcome.rawValue)

      \(result.measuredCells) of \(result.expectedCells) cells measured, \(compared) figures compared \
      with \(result.against.map { "the revision \($0.commit.words)" } ?? "the baseline of \(result.baseline.date)")\
      \(counts.isEmpty ? "" : "; " + counts.joined(separator: ", ")).
      """
  }

  private var grave: [GateFinding] {
    result.findings.filter {
      $0.kind.outcome(strict: strict) != nil && $0.kind != .brokenBudget && !$0.isFolded
    }
  }

  /// Regressions that the findings above explain.
  private var folded: String {
    let findings = result.findings.filter(\.isFolded)
    guard !findings.isEmpty else { return "" }
    return """
      <details><summary>\(counted(findings.count, "more figure")) with the same causes</summary>

      \(table(of: findings))

      </details>
      """
  }

  /// The instants of rare events.
  private var events: String {
    let number = NumberStyle.decimals(3)
    let rows = result.events.flatMap { place -> [[String]] in
      let through = place.condition == "clean" ? "" : " · \(place.condition.asMarkdown)"
      return place.instants.map { instant in
        [
          place.metric, "\(place.recording)\(through)", instant.voice ?? "all",
          number.text(instant.atSeconds), instant.words.asMarkdown,
        ]
      }
    }
    return table(["events", "recording", "voice", "at s:", "finding"], rows)
  }

  private var mild: [GateFinding] {
    result.findings.filter { $0.kind.outcome(strict: strict) == nil && $0.kind != .inconclusive }
  }

  private var noise: String { result.noiseNote { "`\($0)`" }.map { "Note: \($0)." } ?? "" }

  private func table(of findings: [GateFinding]) -> String {
    table(
      ["verdict", "of", "reason", "explain"],
      findings.map { finding in
        [
          finding.kind.rawValue, finding.subject.asMarkdown, finding.message.asMarkdown,
          finding.command.map { "`\($0)`" } ?? "",
        ]
      })
  }

  /// Returns a table, empty without rows. A title that ends with a colon heads numbers.
  private func table(_ header: [String], _ rows: [[String]]) -> String {
    guard !rows.isEmpty else { return "" }
    let titles = header.map { $0.replacing(":", with: "") }
    let rule = header.map { $0.hasSuffix(":") ? "--:" : "---" }
    return ([titles, rule] + rows).map { "|" + $0.map { " \($0) |" }.joined() }
      .joined(separator: "\n")
  }

  private var budgets: String {
    let number = NumberStyle.significant(3)
    let rows = result.budgets.sorted { $0.isBroken && !$1.isBroken }.map { found -> [String] in
      let place = [found.voice, found.configuration].compactMap(\.self).joined(separator: " · ")
      return [
        found.isBroken ? "**broken**" : "kept", "\(found.budget)".asMarkdown,
        place.asMarkdown, found.value.map(number.text) ?? "none",
      ]
    }
    return table(["budget", "limit", "of", "value:"], rows)
  }

  /// The cost of each setting, with its verdict.
  private var costs: String {
    let number = NumberStyle.significant(4)
    let rows = result.costs.map { cost -> [String] in
      let name = cost.configuration.isEmpty ? "default settings" : cost.configuration
      guard let found = cost.comparison else {
        return [name.asMarkdown, "", "not measured", "", ""]
      }
      let (low, high) = (found.interval.lowerBound, found.interval.upperBound)
      return [
        name.asMarkdown,
        "\(number.text(found.ratio)) (\(number.text(low)) to \(number.text(high)))",
        found.verdict.rawValue, "+\(found.detectablePercent) %", cost.against.asMarkdown,
      ]
    }
    return table(["cost of", "ratio to baseline:", "verdict", "detectable:", "baseline"], rows)
  }

  /// Minimum detectable effects, folded because the list is long.
  private var detectable: String {
    let differences = result.comparison?.differences ?? []
    let byMetric = Dictionary(grouping: differences, by: \.metric)
    guard !byMetric.isEmpty else { return "" }
    let number = NumberStyle.significant(3)
    let rows = Metric.all.compactMap { metric -> [String]? in
      guard let found = byMetric[metric.id] else { return nil }
      let worst = found.compactMap(\.worsening).max()
      let detectable = found.compactMap(\.minimumDetectableEffect).max()
      return [
        metric.id, "\(found.count)", worst.map(number.text) ?? "–",
        number.text(found[0].minimumEffect),
        detectable.map(number.text) ?? "–", metric.unit,
      ]
    }
    let header = [
      "metric", "figures:", "worst change:", "minimum effect:", "detectable:", "unit",
    ]
    return """
      <details><summary>Minimum detectable effects</summary>

      \(table(header, rows))

      </details>
      """
  }

  private var provenance: String {
    let was = result.baseline
    if let against = result.against {
      return """
        Candidate: \(result.subjects.joined(separator: ", ")) on \(result.machine). Reference \
        `\(against.name)`: \(against.commit.words), \(was.subjects.joined(separator: ", ")). Repeat: \
        `choir-eval gate \(result.commandWords) --against \(against.commit.short)`.
        """
    }
    return """
      Candidate: \(result.subjects.joined(separator: ", ")) on \(result.machine). Baseline \
      `\(result.baselineFile)`: \(was.subjects.joined(separator: ", ")) on \(was.machine), \
      \(was.date), corpus \(was.corpus). Repeat: `choir-eval gate \(result.commandWords)`.
      """
  }
}
