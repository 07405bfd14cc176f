import Probes

extension SubjectCheck {
  /// Puts the check first on the page of its run.
  package func lead(_ page: inout ReportPage) {
    page.sections.insert(section(command: page.command).withoutEmptyDrawings, at: 0)
    page.next = next
    if let first = page.sections[0].drawings.first {
      page.lead = .init(drawing: first.id, sounds: page.lead?.sounds ?? [])
    }
  }

  /// Files that were rendered before can be neither hunted nor rendered again by a gate.
  private var next: [Remark] {
    guard !subject.isFolder else { return [] }
    let name = subject.source.forShell
    return [
      Remark("To search for more faults", "choir-eval hunt \(name)"),
      Remark("To keep it from getting worse", "choir-eval gate new \(name) --output FOLDER"),
    ]
  }

  private func section(command: String) -> Section {
    let fields: [Table.Field<Row>] = [
      .text("figure", "figure", \.figure.title),
      .amount("value", "value") { Amount($0.value, otherwise: reason($0.figure)) },
      .text("unit", "unit", \.unit), .text("grade", "grade") { $0.grade?.rawValue ?? "–" },
      .text("peers", "peers, best to worst") { $0.peers?.words ?? "–" },
      .text("budget", "budget") { row in row.budget.map { $0.words(of: row.figure) } ?? "–" },
    ]
    let figures = Table(
      id: "check-figures", title: "This subject beside published ones", of: rows, fields,
      note: "Values are medians over recordings; the headlines above are those of the worst voice "
        + "and register. \(peerConditions)", isInSummary: true)
    let missing = Table(
      id: "check-gaps", title: "What is missing, and what it needs", of: gaps,
      [
        .text("what", "what", \.what), .text("reason", "reason", \.reason),
        .text("remedy", "what gives it", \.remedy),
      ])
    let bench = Table(
      id: "check-bench", title: "On the bench, without recordings", of: findings,
      [
        .text("aspect", "aspect", \.aspect.rawValue), .text("finding", "finding", \.name),
        .amount("value", "value") { Amount($0.value, otherwise: $0.words) },
        .text("unit", "unit") { $0.unit ?? "" }, .text("verdict", "verdict", \.verdict.rawValue),
        .text("details", "details", \.words),
      ])
    return Section(
      id: "check", title: "The check", intro: intro, drawings: [standing(command)],
      tables: [figures, missing, bench].filter { !$0.rows.isEmpty })
  }

  /// The place of the subject among published systems. A program that reads whole files may have removed
  /// its delay, so its latency has no place.
  func standing(_ command: String) -> Drawing {
    let groups = rows.compactMap { row -> DotPlot.Group? in
      guard let value = row.value, row.figure != .latency || !subject.takesWholeFiles,
        let place = Peers.place(of: value, on: row.figure)
      else { return nil }
      let amount = "\(NumberStyle.significant(2).text(value)) \(row.unit)"
      let line = DotPlot.Line(
        name: "\(place.worse) of \(place.all)",
        amount: Amount(100 * Double(place.worse) / Double(place.all)))
      return DotPlot.Group(name: "\(row.figure.title): \(amount)", lines: [line])
    }
    return Drawing(
      id: "check-peers", title: "Beside published systems, medians over all voices",
      shows:
        "To the right is better: more published systems are worse. The headlines below are of the worst "
        + "voice, not medians.",
      omits: "by how much. The peers sang other material; the table below has the conditions.",
      command: command,
      plot: DotPlot(
        x: Axis("published systems that are worse", unit: "%", including: [0, 100]),
        groupTitle: "figure", lineTitle: "are worse", groups: groups))
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
