import Probes

extension SubjectCheck {
  /// The first section of the page.
  package func section() -> Section {
    var figures = Table(
      id: "check-figures", title: "This subject beside published ones",
      columns: [
        .text("figure", "figure"), .number("value", "value"), .text("unit", "unit"),
        .text("grade", "grade"), .text("peers", "peers, best to worst"), .text("budget", "budget"),
      ],
      rows: rows.map { row in
        [
          .text(row.figure.title), .amount(Amount(row.value, otherwise: reason(row.figure))),
          .text(row.unit), .text(row.grade?.rawValue ?? "–"), .text(row.peers?.words ?? "–"),
          .text(row.budget.map { $0.words(of: row.figure) } ?? "–"),
        ]
      },
      note: "Values are medians over recordings; the headlines above are those of the worst voice "
        + "and register. \(peerConditions)")
    figures.isInSummary = true
    let missing = Table(
      id: "check-gaps", title: "What is missing, and what it needs",
      columns: [
        .text("what", "what"), .text("reason", "reason"), .text("remedy", "what gives it"),
      ], rows: gaps.map { [.text($0.what), .text($0.reason), .text($0.remedy)] })
    let bench = Table(
      id: "check-bench", title: "On the bench, without recordings",
      columns: [
        .text("aspect", "aspect"), .text("finding", "finding"), .number("value", "value"),
        .text("unit", "unit"), .text("verdict", "verdict"), .text("details", "details"),
      ],
      rows: findings.map { finding in
        [
          .text(finding.aspect.rawValue), .text(finding.name),
          .amount(Amount(finding.value, otherwise: finding.words)), .text(finding.unit ?? ""),
          .text(finding.verdict.rawValue), .text(finding.words),
        ]
      })
    return Section(
      id: "check", title: "The check", intro: intro,
      tables: [figures, missing, bench].filter { !$0.rows.isEmpty })
  }

  private var intro: String {
    let trial =
      trial.map { "A tone at 0 semitones came back: \($0.words)." }
      ?? "The sounds were rendered before; no tone could be sent."
    return subject.takesWholeFiles
      ? "\(trial) The latency is that of the files. A program that reads whole files may have removed "
        + "its own delay, so its live latency may be higher."
      : trial
  }

  private func reason(_ figure: CheckFigure) -> String {
    gaps.first { $0.what == figure.title }?.reason ?? "not measured"
  }
}

extension PeerRange {
  /// The range in words: `Rubber Band R3 short 0.060 to Autotalent 5.4`.
  package var words: String {
    let style = NumberStyle.significant(2)
    return "\(bestName) \(style.text(best)) to \(worstName) \(style.text(worst))"
  }
}

extension SubjectCheck.Budget {
  /// The budget in words: `exceeded, at most 20`.
  package func words(of figure: CheckFigure) -> String {
    let limit = "\(figure.moreIsBetter ? "at least" : "at most") \(NumberStyle.setting.text(limit))"
    return "\(outcome.rawValue): \(limit)" + (note.map { "; \($0)" } ?? "")
  }
}
