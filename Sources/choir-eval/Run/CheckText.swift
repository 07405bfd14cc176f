import CommandSupport
import Platform
import Reporting
import Subjects
import Sweep

/// The answer of `check` for a terminal.
enum CheckText {
  static func answer(_ check: SubjectCheck, _ run: StoredRun) -> AnswerText {
    let recordings = Set(run.cells.filter { !$0.isProbe }.map(\.recording)).count
    var answer = AnswerText()
    answer.remark(
      "\(check.subject.id) \(check.subject.version)",
      check.trial.map { "can be used: \($0.words)" } ?? "can be used: a folder of rendered files",
      "")
    answer.figures(table(check))
    answer.remark("", "Medians over at most \(recordings) recordings.", check.peerConditions)
    if run.cells.contains(where: { $0.isRandom == true }) {
      answer.remark(
        "",
        "The output differs from one rendering to the next, so another check gives other figures.")
    }
    if check.subject.takesWholeFiles {
      answer.remark(
        "",
        "The latency is that of the files. A program that reads whole files may have removed its own "
          + "delay, so its live latency may be higher.")
    }
    if !check.findings.isEmpty { answer.remark([""] + bench(check.findings)) }
    if !check.gaps.isEmpty { answer.remark([""] + gaps(check.gaps)) }
    if check.subject.isPlugin {
      answer.remark(
        "",
        "Not measured here: a tuner before it, a sample in place of the voice, and effects behind it. "
          + "To get it: choir timing --subject \(check.subject.source.forShell)")
    }
    return answer
  }

  static func number(_ value: Double) -> String { NumberStyle.significant(3).text(value) }

  private static func table(_ check: SubjectCheck) -> String {
    let hasBudgets = check.rows.contains { $0.budget != nil }
    let header = ["figure", "value", "unit", "grade", "peers, best to worst"]
    return TextTable(header: header + (hasBudgets ? ["budget"] : []), of: check.rows) { row in
      [
        row.figure.title, row.value.map(number) ?? "–", row.unit, row.grade?.rawValue ?? "–",
        row.peers?.words ?? "–",
      ] + (hasBudgets ? [row.budget?.words(of: row.figure) ?? ""] : [])
    }.text()
  }

  /// Findings on the bench: latency in full, the others as a count with what is poor.
  private static func bench(_ findings: [ProbeFinding]) -> [String] {
    var lines = ["On the bench:"]
    for finding in findings where finding.aspect == .latency {
      let value = finding.value.map { "\(number($0)) \(finding.unit ?? ""), " } ?? ""
      lines.append("  latency, \(finding.name): \(value)\(finding.words)")
    }
    return lines + counted(.equivalence, in: findings) + counted(.robustness, in: findings)
  }

  private static func counted(
    _ aspect: ProbeFinding.Aspect, in findings: [ProbeFinding]
  ) -> [String] {
    let tried = findings.filter { $0.aspect == aspect && $0.verdict != .measured }
    guard !tried.isEmpty else {
      return ["  \(aspect.rawValue): left out, because one sound takes long; use choir-eval probe"]
    }
    let poor = tried.filter { $0.verdict == .poor }
    let undefined = tried.count { $0.verdict == .undefined }
    return [
      "  \(aspect.rawValue): \(tried.count { $0.verdict == .good }) of \(tried.count) good"
        + (poor.isEmpty ? "" : ", \(poor.count) poor")
        + (undefined == 0 ? "" : ", \(undefined) could not be tried")
    ] + poor.map { "    \($0.name): \($0.words)" }
  }

  private static func gaps(_ gaps: [CheckGap]) -> [String] {
    ["Missing:"] + gaps.map { "  \($0.what): \($0.reason). To get it: \($0.remedy)." }
  }
}
