import Gate
import Metrics
import Platform
import Tuning

/// A gate's result as a page, and as Markdown for the summary of a CI job: what changed, before and after,
/// to see and to hear; the findings with the commands that explain them; budgets; and what else the gate
/// would find.
package struct GatePage {
  private let result: GateResult
  private let strict: Bool
  private let command: String

  package init(_ result: GateResult, strict: Bool = false) {
    (self.result, self.strict) = (result, strict)
    let against = result.against.map { " --against \($0.commit.short)" } ?? ""
    command = "choir-eval gate \(result.commandWords)\(against)"
  }

  /// - Parameter sounds: the cells that decided, rendered again; without them the page has no sound.
  package func page(_ sounds: GateSounds? = nil) throws -> ReportPage {
    let changed = [changes].filter { !$0.plot.isEmpty }
    var page = ReportPage(
      title: "Did \(subjects) get worse?", subtitle: counts,
      verdict: verdict,
      sections: [
        Section(
          id: "findings", title: "What fails", drawings: changed,
          tables: [grave, events].filter { !$0.rows.isEmpty })
      ], reading: Self.reading, provenance: provenance, command: command)
    page.next = next(isHeard: sounds != nil)
    if let sounds {
      let scratch = try ScratchFolder()
      let heard = sounds.section(of: result, command: command, into: scratch)
      page.sections += [heard].compactMap(\.self)
      page.scratch = scratch
      page.lead = (changed + (heard?.drawings ?? [])).first.map { picture in
        .init(drawing: picture.id, sounds: GateSounds.buttons(heard))
      }
    }
    page.sections += [
      Section(id: "folded", title: "Further figures with the same causes", tables: [folded]).folded,
      Section(id: "budgets", title: "Budgets", tables: [budgets]),
      Section(id: "cost", title: "Cost", tables: [costs]),
      Section(id: "others", title: "Improvements and notes", tables: [mild]),
      Section(
        id: "reach", title: "The smallest changes that this gate finds",
        tables: result.comparison?.reach ?? []),
    ].filter { $0.tables.contains { !$0.rows.isEmpty } }
    page.sections.removeAll { $0.tables.isEmpty && $0.drawings.isEmpty && $0.clips.isEmpty }
    return page
  }

  // MARK: Answer

  private var subjects: String {
    listed(result.subjects.map { "‘\($0.prefix { $0 != " " })’" })
  }

  private var counts: String {
    let compared = result.comparison?.differences.count ?? 0
    let judged = result.commit.map { "Judged: \($0). " } ?? ""
    let baseline =
      result.against.map { "the revision \($0.commit.words)" }
      ?? "the baseline of \(result.baseline.date)"
    return
      judged
      + "\(counted(compared, "figure")) of \(result.measuredCells) of \(result.expectedCells) cells "
      + "compared with \(baseline)" + result.countsInWords.part.map { ": \($0)" }.joined()
      + (result.outcome(strict: strict) == .pass && result.count(.inconclusive) > 0
        ? "; inconclusive figures fail no gate" : "")
  }

  private var verdict: PageVerdict {
    let failing = result.findings.filter { $0.kind.outcome(strict: strict) != nil && !$0.isFolded }
    let failed = result.count(.failedCell)
    let outcome: PageVerdict.Outcome =
      switch result.outcome(strict: strict) {
      case .pass: .pass
      case .regression where result.count(.regression) > 0: .regression
      // A budget is broken by cells that failed, too.
      case .regression: failed > 0 ? .failed : .exceeded
      case .notMeasured: failed > 0 ? .failed : .partial
      case .inconclusive: .inconclusive
      }
    guard let first = failing.first else {
      let noisy = result.comparison?.differences.count(where: \.isTooNoisy) ?? 0
      return PageVerdict(
        outcome,
        "No figure got worse by its minimum effect and more than chance explains."
          + (noisy > 0
            ? " \(counted(noisy, "figure")) \(noisy == 1 ? "is" : "are") too noisy to tell." : ""))
    }
    let causes = result.causes.filter { !isUnheard($0) } + result.causes.filter(isUnheard)
    let sentences = causes.prefix(3).map(words)
    let others = failing.count - max(1, sentences.count)
    let failures =
      failed > 0
      ? "\(failed) of \(result.expectedCells)\(outcome == .failed ? "" : " cells failed"), such as "
      : ""
    let said = sentences.isEmpty ? ["\(failures)\(plain(first)): \(first.message)."] : sentences
    return PageVerdict(
      outcome, (said + (others > 0 ? ["And \(others) more."] : [])).joined(separator: " "))
  }

  /// The subject of a finding with the title of its metric: `Latency of lone impulses · +4 · chord`.
  private func plain(_ finding: GateFinding) -> String {
    guard let metric = finding.metric.flatMap(Metric.metric), finding.subject.hasPrefix(metric.id)
    else { return finding.subject }
    return metric.title.capitalizedFirst + finding.subject.dropFirst(metric.id.count)
  }

  /// A cause with the figure that shows it best: `Pitch of voices +4, +7: pitch error, voice +4, went from 8.4 to
  /// 29.8 cents on sung-male-vowel (audible: listeners notice 10 cents).` A figure that names its only voice
  /// says it all.
  private func words(_ group: CauseGroup) -> String {
    guard let head = head(of: group), let change = head.brief else {
      return group.title.capitalizedFirst + "."
    }
    let family = group.title.prefix { $0 != " " }
    let cause = group.voices.count == 1 && head.name.hasPrefix(family) ? "" : group.title + ": "
    return "\((cause + head.name).capitalizedFirst), went \(change) (\(audibility(of: head)))."
  }

  private func audibility(of change: MetricDifference) -> String {
    guard let isHeard = isHeard(change), let least = TuneAxis.noticeableChange(of: change.metric)
    else { return "no threshold of hearing is published: listen" }
    return (isHeard ? "audible" : "measurable, not audible alone")
      + ": listeners notice \(change.amount(least))"
  }

  /// Returns whether a change is audible; `nil` without a threshold of hearing.
  private func isHeard(_ change: MetricDifference) -> Bool? {
    guard let place = change.extreme, let least = TuneAxis.noticeableChange(of: change.metric)
    else { return nil }
    return abs(place.candidate - place.baseline) >= least
  }

  /// True if nobody hears the figure that shows a cause best; others are told first.
  private func isUnheard(_ group: CauseGroup) -> Bool {
    head(of: group).flatMap(isHeard) == false
  }

  private func head(of group: CauseGroup) -> MetricDifference? {
    result.comparison?.differences.first { $0.key == group.head }
  }

  /// - Parameter isHeard: true if the page has the sounds already.
  private func next(isHeard: Bool) -> [Remark] {
    let failing = result.findings.filter { $0.kind.outcome(strict: strict) != nil }
    let explained = failing.first { $0.command != nil }
    let place = result.comparison?.differences.first { $0.key == explained?.key }?.extreme
    let isWorse = result.count(.regression) > 0
    return [
      isWorse && !isHeard
        ? Remark("To see and hear it", "\(command) --cached --output FOLDER") : nil,
      explained?.command.map {
        Remark("To find out why" + (place.map { ", on \($0.recording)" } ?? ""), $0)
      },
      isWorse && result.against == nil && result.count(.failedCell) == 0
        ? Remark(
          "If this change is intended", "choir-eval accept \(result.commandWords) --reason \"…\"")
        : nil,
    ].compactMap(\.self)
  }

  private var changes: Drawing {
    ChangesSection.drawing(of: result.causes.first.flatMap(head), command: command)
  }

  // MARK: Tables

  private var grave: Table {
    table(
      "findings-table", "Findings that fail the gate",
      result.findings.filter {
        $0.kind.outcome(strict: strict) != nil && $0.kind != .brokenBudget && !$0.isFolded
      }, isInSummary: true)
  }

  /// Regressions that the findings above explain.
  private var folded: Table {
    table("folded-table", "Explained by the findings above", result.findings.filter(\.isFolded))
  }

  private var mild: Table {
    table(
      "others-table", "Findings that do not fail the gate",
      result.findings.filter {
        $0.kind.outcome(strict: strict) == nil && $0.kind != .inconclusive
      } + result.noiseNote.part, isInSummary: true)
  }

  private func table(
    _ id: String, _ title: String, _ findings: [GateFinding], isInSummary: Bool = false
  ) -> Table {
    Table(
      id: id, title: title, of: findings,
      [
        .text("verdict", "verdict", \.kind.rawValue), .text("of", "of", \.subject),
        .text("finding", "finding") { $0.message + changedWithIt($0) },
        .cell("explain", "explain") { $0.command.map { .command($0) } ?? .text("") },
      ], isInSummary: isInSummary)
  }

  /// The metrics of figures that a finding explains.
  private func changedWithIt(_ finding: GateFinding) -> String {
    guard let group = result.causes.first(where: { $0.head == finding.key }), !group.folded.isEmpty
    else { return "" }
    let metrics = Set(group.folded.map(\.figure.metric)).sorted().joined(separator: ", ")
    return "; changed with it: \(counted(group.folded.count, "more figure")): \(metrics)"
  }

  /// The instants of rare events.
  private var events: Table {
    typealias Row = (place: EventInstants, instant: EventInstants.Instant)
    let rows = result.events.flatMap { place in place.instants.map { (place, $0) } }
    let fields: [Table.Field<Row>] = [
      .text("events", "events", \.place.metric),
      .text("recording", "recording") { row in
        row.place.recording
          + (row.place.condition == "clean" ? "" : " · \(row.place.condition)")
      }, .text("voice", "voice") { $0.instant.voice ?? "all" },
      .number("at_s", "at", unit: "s", style: .decimals(3)) { $0.instant.atSeconds },
      .text("finding", "finding", \.instant.words),
    ]
    return Table(
      id: "events-table", title: "Instants of events that became more", of: rows, fields,
      isInSummary: true)
  }

  private var budgets: Table {
    let fields: [Table.Field<(finding: BudgetFinding, isBroken: Bool)>] = [
      .text("budget", "budget") { $0.isBroken ? "broken" : "kept" },
      .text("limit", "limit") { "\($0.finding.budget)" },
      .number("worst", "worst", otherwise: "no cell has a value", \.finding.value),
      .text("of", "of", \.finding.place),
      .text("title", "what it is") { Metric.metric(id: $0.finding.budget.metric)?.title ?? "" },
    ]
    return Table(
      id: "budgets-table", title: "Limits that hold whatever the baseline says",
      of: result.nearestBudgets.sorted { $0.isBroken && !$1.isBroken }, fields,
      isInSummary: true)
  }

  /// The cost of each setting, with its verdict.
  private var costs: Table {
    let three = NumberStyle.decimals(3)
    let fields: [Table.Field<CostFinding>] = [
      .text("setting", "setting") {
        $0.configuration.isEmpty ? "default settings" : $0.configuration
      },
      .number("ratio", "times", style: three, otherwise: "not measured", \.comparison?.ratio),
      .number("low", "from", style: three, otherwise: "not measured") {
        $0.comparison?.interval.lowerBound
      },
      .number("high", "to", style: three, otherwise: "not measured") {
        $0.comparison?.interval.upperBound
      },
      .text("verdict", "verdict") { $0.comparison?.verdict.rawValue ?? "not measured" },
      .text("detectable", "detectable") {
        $0.comparison.map { "+\($0.detectablePercent) %" } ?? ""
      }, .text("baseline", "baseline", \.against),
    ]
    return Table(
      id: "cost-table", title: "Cost, as times the baseline's", of: result.costs, fields,
      isInSummary: true)
  }

  private static let reading = [
    Remark(
      "minimum effect", "the smallest change of a figure that counts; listeners may need more"),
    Remark(
      "takes",
      "the same cells with the input changed inaudibly; their spread is what chance explains"),
    Remark(
      "inconclusive",
      "the figure may have become worse by the minimum effect; more recordings would tell"),
  ]

  private var provenance: [Remark] {
    let was = result.baseline
    let candidate = Remark(
      "judged",
      (result.subjects + result.commit.part).joined(separator: ", ") + " on \(result.machine)")
    let subjects = was.subjects.joined(separator: ", ")
    if let against = result.against {
      let earlier =
        against.wasMeasured ? "; measured earlier" : against.wasBuilt ? "; built earlier" : ""
      let words = "\(against.name): \(against.commit.words), \(subjects)\(earlier)"
      return [candidate, Remark("reference", words)]
    }
    return [
      candidate,
      Remark(
        "baseline",
        "\(result.baselineFile): \(subjects) on \(was.machine), \(was.date), corpus \(was.corpus)"),
    ]
  }
}

extension RunComparison {
  /// The metrics that it cannot guard, and the smallest changes that it finds, metric by metric.
  package var reach: [Table] {
    func rows(_ differences: [MetricDifference]) -> [[MetricDifference]] {
      let byMetric = Dictionary(grouping: differences, by: \.metric)
      return Metric.all.compactMap { byMetric[$0.id] }
    }
    let noisy = Table(
      id: "noisy-table", title: "Not guarded: no change would be found here, too noisy",
      of: rows(differences.filter(\.isTooNoisy)),
      [
        .text("metric", "metric") { $0[0].metric }, .count("figures") { $0.count },
        .text("title", "what it is") { $0[0].title },
      ])
    let fields: [Table.Field<[MetricDifference]>] = [
      .text("metric", "metric") { $0[0].metric }, .count("figures") { $0.count },
      .number("worst", "worst change", otherwise: "no value on both sides") {
        $0.compactMap(\.worsening).max()
      }, .number("effect", "minimum effect") { $0[0].minimumEffect },
      .number("detectable", "detectable", otherwise: "unknown noise") {
        $0.compactMap(\.minimumDetectableEffect).max()
      }, .text("unit", "unit") { $0[0].unit },
      .text("title", "what it is") { $0[0].title },
    ]
    let reach = Table(
      id: "reach-table", title: "Minimum detectable effects",
      of: rows(differences.filter { !$0.isTooNoisy }), fields,
      note: "A change must be larger than the minimum effect, and than chance explains.")
    return [noisy, reach].filter { !$0.rows.isEmpty }
  }
}
