import CommandSupport
import Platform
import Reporting

/// The verdict of a run for a terminal, then its numbers, as on the report's first page.
enum VerdictText {
  static func text(_ summary: RunVerdict, _ paint: ANSIStyle) -> String {
    let outcome = summary.verdict.outcome
    let parts = [
      // Names of subjects are part of this text: it is made printable before colour is added.
      "\(paint("\(outcome.sign) \(outcome.words)", colour(outcome))): "
        + summary.verdict.sentence.printable, numbers(summary.headlines).printable,
      paint(summary.coverage.printable, .faint),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// The verdict in one line without colours.
  static func line(_ verdict: PageVerdict) -> String {
    "\(verdict.outcome.sign) \(verdict.outcome.words): \(verdict.sentence)"
  }

  private static func colour(_ outcome: PageVerdict.Outcome) -> ANSIStyle.Colour {
    switch outcome {
    case .ungraded, .partial: .blue
    case .good, .pass: .green
    case .poor, .failed, .regression, .exceeded: .red
    case .fair, .inconclusive: .yellow
    }
  }

  private static func numbers(_ headlines: [Headline]) -> String {
    guard !headlines.isEmpty else { return "" }
    let changed = headlines.contains { !$0.change.isEmpty }
    let header = ["figure", "value", "unit", "scale", "from–to, 95 %", "recordings"]
    return TextTable(header: header + (changed ? ["change"] : []), of: headlines) { line in
      [
        line.title, line.amount.value.map(line.style.text) ?? "–",
        line.amount.reasonInWords ?? line.unit, line.grade?.rawValue ?? "–",
        line.interval.map(line.style.text) ?? "–", "\(line.count)",
      ] + (changed ? [line.change] : [])
    }.text()
  }
}
