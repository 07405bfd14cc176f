import Gate
import Metrics
import Platform
import Sweep
import Tuning

/// The first part of the page: the verdict in words, and the headline numbers.
struct VerdictPart {
  let recommendation: Recommendation
  let undefined: [UndefinedCount]
  let baseline: EarlierRun?

  private var run: StoredRun { recommendation.run }

  // MARK: Verdict

  func verdict() -> PageVerdict {
    if let baseline { return verdict(against: baseline) }
    guard let choice = recommendation.choice else {
      return PageVerdict(
        run.failures.isEmpty ? .inconclusive : .failed,
        "No setting has a value on every axis: nothing was measured on a voice.")
    }
    let name = recommendation.text(choice)
    let others = recommendation.settingCount
    let figures = [
      recommendation.point?.faults.map { "audible total \(TuneAnswer.words(ofSteps: $0))" },
      figure(.latency).map { "latency \(text($0.value, 1)) ms" },
      figure(.cost).map { "cost \(NumberStyle.significant(2).text($0.value)) % of a core" },
    ].compactMap(\.self).joined(separator: ", ")
    let heard = recommendation.point?.heard.first.map { "Heard first: \($0.sentence)." } ?? ""
    let failures = run.failures.count
    let chosen =
      (others > 1
        ? "\(Self.words(recommendation.answer, of: others, isWhole: recommendation.isWhole)) \(name)"
        : name.isEmpty ? choice.subject : name)
      + (figures.isEmpty ? "." : others > 1 ? ", with \(figures)." : ": \(figures).")
    // A choice is the answer to many settings; what is heard is that of one.
    let sentence =
      (others > 1 ? [chosen, heard] : [heard, chosen]).filter { !$0.isEmpty }.joined(separator: " ")
      + besideDefault(choice) + byRegister
      + (failures == 0 ? "" : " \(counted(failures, "cell")) failed; see Missing values.")
      + (recommendation.isWhole || others == 1
        ? ""
        : " Preliminary: \(run.cells.count) of \(counted(run.plannedCells, "cell")) ran, and "
          + "settings may have run on different recordings.")
    let missing = headlines().compactMap { line in
      line.amount.reason.map { "\(Self.short(line.title)) (\($0))" }
    }
    let partly = headlines().filter { !$0.remark.isEmpty }.map { line in
      " \(Self.short(line.title).capitalizedFirst): \(line.remark)."
    }
    if failures > 0 { return PageVerdict(.failed, sentence) }
    if !recommendation.isWhole { return PageVerdict(.partial, sentence) }
    if recommendation.answer.budgetWords != nil, !(recommendation.point?.fits ?? true) {
      return PageVerdict(.exceeded, sentence)
    }
    var verdict = graded(sentence)
    verdict.sentence += partly.joined()
    if !missing.isEmpty {
      verdict.sentence += " Not measured: \(missing.joined(separator: "; "))."
      // A missing number makes no verdict good.
      if ![.fair, .poor].contains(verdict.outcome) { verdict.outcome = .partial }
    }
    return verdict
  }

  /// The verdict by the worst grade of the headline numbers, with those that have it.
  private func graded(_ sentence: String) -> PageVerdict {
    let lines = headlines()
    func titles(_ grade: QualityScale.Grade) -> String? {
      let titles = lines.filter { $0.grade == grade }.map { Self.short($0.title) }
      return titles.isEmpty ? nil : listed(titles)
    }
    if let poor = titles(.poor) { return PageVerdict(.poor, "\(sentence) Poor: \(poor).") }
    if let fair = titles(.fair) { return PageVerdict(.fair, "\(sentence) Fair: \(fair).") }
    return PageVerdict(titles(.good) == nil ? .ungraded : .good, sentence)
  }

  /// Returns a title without the worst voice or register, which the headlines name.
  private static func short(_ title: String) -> String { String(title.prefix { $0 != "," }) }

  /// How the setting was chosen, in words.
  ///
  /// - Parameter isWhole: false if cells are missing, so that nothing is recommended yet.
  static func words(_ answer: TuneAnswer, of settings: Int, isWhole: Bool) -> String {
    let budgets = answer.budgetWords.map { " within the budgets (\($0))" } ?? ""
    if !isWhole { return "Ahead of \(settings) settings\(budgets) so far:" }
    if let recommended = answer.recommended {
      return SettingChoice(answer.points[recommended]).isDefault
        ? "Keep the default of the \(settings) settings\(budgets):"
        : "Recommended of \(settings) settings\(budgets):"
    }
    return answer.best.map { answer.points[$0].fits } == true
      ? "None of the \(settings) settings\(budgets) serves every register. The nearest is"
      : "None of the \(settings) settings is\(budgets). The nearest is"
  }

  /// The recommendations by register, where they differ from that for all.
  private var byRegister: String {
    let answer = recommendation.answer
    let others = answer.groups.filter { $0.by == "register" && $0.chosen != answer.best }
    let parts = others.compactMap { group in
      group.chosen.map {
        "\(group.name) voices: \(recommendation.text(SettingChoice(answer.points[$0])))"
      }
    }
    return parts.isEmpty ? "" : " By register, \(parts.joined(separator: "; "))."
  }

  private func figure(_ axis: TuneAxis) -> TuneAnswer.Figure? {
    recommendation.answer.best.flatMap { recommendation.answer.points[$0].figures[axis.rawValue] }
  }

  private func text(_ value: Double, _ decimals: Int) -> String {
    NumberStyle.decimals(decimals).text(value)
  }

  private func besideDefault(_ choice: SettingChoice) -> String {
    if choice.isDefault { return "" }
    let standard = recommendation.answer.points.first { SettingChoice($0).isDefault }
    guard let standard, let faults = standard.faults,
      let latency = standard.figures[TuneAxis.latency.rawValue]
    else { return "" }
    return " The default, \(recommendation.text(SettingChoice(standard))), has \(text(faults, 1)) "
      + "steps and a latency of \(text(latency.value, 1)) ms."
  }

  private func verdict(against baseline: EarlierRun) -> PageVerdict {
    let comparison = baseline.comparison
    // Cells that were not run may be worse.
    let isWhole = comparison.missing.isEmpty
    let outcome: PageVerdict.Outcome =
      switch comparison.verdict {
      case .regression: .regression
      case .inconclusive: .inconclusive
      case .improvement, .withinNoise: isWhole ? .pass : .inconclusive
      }
    let parts = ComparisonVerdict.allCases.compactMap { verdict -> String? in
      let number = comparison.count(verdict)
      guard number > 0 else { return nil }
      return switch verdict {
      case .regression: counted(number, "regression")
      case .improvement: counted(number, "improvement")
      case .withinNoise: "\(number) within noise"
      case .inconclusive: "\(number) inconclusive"
      }
    }
    var sentence =
      parts.isEmpty
      ? "No figure has a value both here and in \(baseline.name)."
      : "Of \(counted(comparison.differences.count, "figure")) compared with \(baseline.name): "
        + parts.joined(separator: ", ") + "."
    let most = comparison.worstByFamily.prefix(3).map(\.plainWords)
    if !most.isEmpty {
      sentence = "Changed most: \(listed(Array(most))). \(sentence)"
    } else if let first = comparison.differences.first, first.verdict != .withinNoise {
      sentence += " The gravest: \(ChangesSection.words(first))."
    }
    if !isWhole {
      sentence += " This run lacks \(counted(comparison.missing.count, "cell")) of the baseline."
    }
    if !comparison.broken.isEmpty {
      sentence += " \(counted(comparison.broken.count, "cell")) failed that the baseline measured."
    }
    return PageVerdict(comparison.broken.isEmpty ? outcome : .regression, sentence)
  }

  // MARK: Headlines

  /// Headline numbers of the recommended setting: the figures that decided.
  func headlines() -> [Headline] {
    guard let choice = recommendation.choice, let point = recommendation.point else { return [] }
    let answer = recommendation.answer
    return Recommendation.headlineAxes.map { axis in
      let metric = answer.axes.first { $0.axis == axis }?.metric
      let figure = point.figures[axis.rawValue]
      let reason = point.undefined[axis.rawValue] ?? answer.undefinedAxes[axis.rawValue]
      // Impulses are a probe, and no voice.
      let isOfProbe = figure?.value != nil && figure?.recordings == 0
      let amount = Amount(
        figure.flatMap { $0.isAssumed ? $0.measured : $0.value },
        otherwise: reason ?? Undefined(.notMeasured, figure?.note ?? "not measured"))
      return Headline(
        Self.title(axis, isOfProbe: isOfProbe), amount,
        unit: axis.unit, interval: Bounds(figure?.interval, meaning: "95 %"),
        count: isOfProbe ? 1 : figure?.recordings ?? 0,
        counted: isOfProbe ? "probes" : "recordings",
        style: axis.style,
        change: metric.flatMap { baseline?.change(of: $0, under: choice) } ?? "",
        remark: amount.value != nil && figure?.isAssumed == true ? figure?.note ?? "" : "",
        scale: QualityScale.of(axis))
    }
  }

  private static func title(_ axis: TuneAxis, isOfProbe: Bool) -> String {
    switch axis {
    case .latency: isOfProbe ? "latency, impulses" : "latency, latest register"
    case .cost: "cost, worst register"
    default: "\(axis.title), worst voice"
    }
  }

  /// The share of planned measurements that have a value, in words.
  func coverage() -> String {
    func total(_ isByNature: Bool) -> Int {
      undefined.filter { $0.doesNotApply == isByNature }.reduce(0) { $0 + $1.count }
    }
    var parts = [
      recommendation.isWhole && run.failures.count < run.cells.count
        ? (run.plannedCells == 1 ? "The only cell ran" : "All \(run.plannedCells) cells ran")
        : "\(run.cells.count) of \(counted(run.plannedCells, "cell")) ran"
    ]
    parts.append(run.failures.isEmpty ? "none failed" : "\(run.failures.count) failed")
    var text = parts.joined(separator: ", ") + ". "
    if run.failures.count == run.cells.count { return text + "Nothing was measured." }
    let (troubling, natural) = (total(false), total(true))
    text +=
      troubling == 0
      ? "No measurement is missing"
      : "\(NumberStyle.decimals(0).text(Double(troubling))) measurements are missing"
    if natural > 0 {
      text +=
        "; \(NumberStyle.decimals(0).text(Double(natural))) don't apply to their recording or score"
    }
    return text + "."
  }
}

extension TuneAxis {
  /// The axis in the words of a page.
  var title: String {
    switch self {
    case .missing: "voice lost"
    case .gross: "wrong notes"
    case .pitch: "pitch error"
    case .formants: "formant shift"
    case .tilt: "tilt of the spectrum"
    case .consonants: "consonants lost"
    default: rawValue
    }
  }

  var style: NumberStyle {
    switch self {
    case .intelligibility: .decimals(2)
    case .cost: .significant(2)
    default: .decimals(1)
    }
  }
}
