import CommandSupport
import Reporting
import Subjects
import Sweep

/// The answer of `check` for a terminal.
enum CheckText {
  static func answer(_ check: SubjectCheck, _ run: StoredRun) -> AnswerText {
    let recordings = Set(run.cells.filter { $0.kind != "probe" }.map(\.recording)).count
    var answer = AnswerText()
    answer.remark(
      "\(check.subject.id) \(check.subject.version)",
      check.trial.map { "can be used: \($0.words)" } ?? "can be used: a folder of rendered files",
      "")
    answer.figures(table(check))
    answer.remark("", "Medians over at most \(recordings) recordings.", check.peerConditions)
    if check.subject.takesWholeFiles {
      answer.remark(
        "",
        "The latency is that of the files. A program that reads whole files may have removed its own "
          + "delay, so its live latency may be higher.")
    }
    if !check.findings.isEmpty { answer.remark([""] + bench(check.findings)) }
    if !check.gaps.isEmpty { answer.remark([""] + gaps(check.gaps)) }
    return answer
  }

  static func number(_ value: Double) -> String { NumberStyle.significant(3).text(value) }

  private static func table(_ check: SubjectCheck) -> String {
    let hasBudgets = check.rows.contains { $0.budget != nil }
    var table = TextTable(
      header: ["figure", "value", "unit", "grade", "peers, best to worst"]
        + (hasBudgets ? ["budget"] : []))
    for row in check.rows {
      table.rows.append(
        [
          row.figure.title, row.value.map(number) ?? "–", row.unit, row.grade?.rawValue ?? "–",
          row.peers?.words ?? "–",
        ] + (hasBudgets ? [row.budget?.words(of: row.figure) ?? ""] : []))
    }
    return table.text()
  }

  /// Findings on the bench: latency in full, robustness as a count with what is poor.
  private static func bench(_ findings: [ProbeFinding]) -> [String] {
    var lines = ["On the bench:"]
    for finding in findings where finding.aspect == .latency {
      let value = finding.value.map { "\(number($0)) \(finding.unit ?? ""), " } ?? ""
      lines.append("  latency, \(finding.name): \(value)\(finding.words)")
    }
    let robustness = findings.filter { $0.aspect == .robustness }
    let poor = robustness.filter { $0.verdict == .poor }
    let unheard = robustness.count { $0.verdict == .undefined }
    if robustness.isEmpty {
      lines.append("  robustness: left out, because one sound takes long; use choir-eval probe")
    } else {
      lines.append(
        "  robustness: \(robustness.count { $0.verdict == .good }) of \(robustness.count) good"
          + (poor.isEmpty ? "" : ", \(poor.count) poor")
          + (unheard == 0 ? "" : ", \(unheard) could not be sent"))
      lines += poor.map { "    \($0.name): \($0.words)" }
    }
    return lines
  }

  private static func gaps(_ gaps: [CheckGap]) -> [String] {
    ["Missing:"] + gaps.map { "  \($0.what): \($0.reason). To get it: \($0.remedy)." }
  }
}
