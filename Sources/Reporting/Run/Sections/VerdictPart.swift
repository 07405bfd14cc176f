import Analyzer
import Evaluation

/// What the page says first: the answer in words, and the numbers that matter.
struct VerdictPart {
  let facts: RunFacts

  // MARK: In words

  func verdict() -> PageVerdict {
    if let baseline = facts.baseline { return verdict(against: baseline) }
    guard let choice = facts.choice else {
      return PageVerdict(
        .inconclusive, "No setting has a figure on every axis: nothing was measured on a voice.")
    }
    let name = facts.words(choice)
    let others = Set(facts.summaries.map { RunFacts.Choice($0) }).count
    let subject =
      others > 1 ? "Of \(others) settings, \(name)" : name.isEmpty ? choice.subject : name
    let figures = [
      figure(.pitch).map { "\(text($0.value, 1)) cents off" },
      figure(.latency).map { late($0.value) },
      figure(.cost).map { "\(NumberStyle.significant(2).text($0.value)) % of a core" },
    ].compactMap(\.self).joined(separator: ", ")
    let failures = facts.run.failures.count
    let sentence =
      (others > 1 ? "\(subject) has the least shortfall" : subject)
      + (figures.isEmpty ? "." : ": \(figures).") + besideDefault(choice)
      + (failures == 0 ? "" : " \(count(failures, "cell")) failed; see the end.")
      + (isWhole || others == 1
        ? ""
        : " Preliminary: \(facts.run.cells.count) of \(facts.run.plannedCells) cells ran, and settings "
          + "may have been heard on other recordings.")
    return PageVerdict(failures == 0 && isWhole ? .measured : .inconclusive, sentence)
  }

  private var isWhole: Bool { facts.run.cells.count == facts.run.plannedCells }

  private func figure(_ axis: TuneAxis) -> TuneAnswer.Figure? {
    facts.answer.best.flatMap { facts.answer.points[$0].figures[axis.rawValue] }
  }

  private func text(_ value: Double, _ decimals: Int) -> String {
    NumberStyle.decimals(decimals).text(value)
  }

  private func besideDefault(_ choice: RunFacts.Choice) -> String {
    if facts.isDefault(choice) { return " It is the default." }
    let engine = choice.settings["engine"]
    let usual = facts.answer.points.first { point in
      let other = RunFacts.Choice(subject: point.subject, settings: point.settings)
      return point.settings["engine"] == engine && facts.isDefault(other)
    }
    guard let usual, let pitch = usual.figures[TuneAxis.pitch.rawValue],
      let latency = usual.figures[TuneAxis.latency.rawValue]
    else { return "" }
    return " The default, \(facts.words(usual)), is \(text(pitch.value, 1)) cents off and "
      + "\(late(latency.value))."
  }

  /// A program that works on whole files may be too sure of its own delay, and early.
  private func late(_ ms: Double) -> String {
    ms < 0 ? "\(text(-ms, 1)) ms early" : "\(text(ms, 1)) ms late"
  }

  private func verdict(against baseline: EarlierRun) -> PageVerdict {
    let comparison = baseline.comparison
    let outcome: PageVerdict.Outcome =
      switch comparison.verdict {
      case .regression: .regression
      case .inconclusive: .inconclusive
      case .improvement, .withinNoise: .pass
      }
    let parts = Verdict.allCases.compactMap { verdict -> String? in
      let number = comparison.count(verdict)
      guard number > 0 else { return nil }
      return switch verdict {
      case .regression: "\(number) worse by more than matters"
      case .improvement: "\(number) better"
      case .withinNoise: "\(number) within noise"
      case .inconclusive: "\(number) undecided"
      }
    }
    var sentence =
      "Of \(count(comparison.differences.count, "figure")) compared with \(baseline.name): "
      + parts.joined(separator: ", ") + "."
    if let first = comparison.differences.first, first.verdict != .withinNoise {
      sentence += " First: \(ChangesSection.words(first))."
    }
    if !comparison.broken.isEmpty {
      sentence += " \(count(comparison.broken.count, "cell")) failed that did not before."
    }
    return PageVerdict(comparison.broken.isEmpty ? outcome : .regression, sentence)
  }

  // MARK: In numbers

  /// Of the setting to ship.
  func headlines() throws -> [Headline] {
    guard let choice = facts.choice else { return [] }
    let axes: [TuneAxis] = [.pitch, .latency, .formants, .intelligibility, .cost]
    let answer = try Tuner(TuneGoal(axes: axes), facts: []).answer(for: facts.chosenCells)
    guard let point = answer.points.first else { return [] }
    return axes.map { axis in
      let metric = answer.axes.first { $0.axis == axis }?.metric
      let figure = point.figures[axis.rawValue]
      let reason = point.undefined[axis.rawValue] ?? answer.undefinedAxes[axis.rawValue]
      let interval = figure?.interval.flatMap {
        Bounds($0.lowerBound, $0.upperBound, meaning: "95 %")
      }
      return Headline(
        Self.title(axis, metric), Amount(figure?.value, otherwise: reason ?? "not measured"),
        unit: axis.unit, interval: interval, count: figure?.recordings ?? 0, counted: "recordings",
        style: Self.style(axis),
        change: metric.flatMap { facts.baseline?.change(of: $0, under: choice) } ?? "",
        scale: metric == "intelligibility.stoi" ? nil : QualityScale.of(axis))
    }
  }

  private static func title(_ axis: TuneAxis, _ metric: String?) -> String {
    switch axis {
    case .pitch: "pitch error"
    case .latency: metric == "latency.impulse" ? "latency, of impulses" : "latency, sound to sound"
    case .formants: "formants moved by"
    case .intelligibility: metric == "intelligibility.stoi" ? "words, STOI" : "words, ESTOI"
    case .cost: "cost, of a core"
    case .timbre: "timbre"
    }
  }

  private static func style(_ axis: TuneAxis) -> NumberStyle {
    switch axis {
    case .pitch, .latency, .formants, .timbre: .decimals(1)
    case .intelligibility: .decimals(2)
    case .cost: .significant(2)
    }
  }

  /// How much of what was planned has a number.
  func coverage() -> String {
    let run = facts.run
    func total(_ isByNature: Bool) -> Int {
      facts.undefined.filter { $0.isByNature == isByNature }.reduce(0) { $0 + $1.count }
    }
    var parts = [
      isWhole && run.failures.count < run.cells.count
        ? "All \(count(run.plannedCells, "cell")) ran"
        : "\(run.cells.count) of \(count(run.plannedCells, "cell")) ran"
    ]
    parts.append(run.failures.isEmpty ? "none failed" : "\(run.failures.count) failed")
    var text = parts.joined(separator: ", ") + ". "
    if run.failures.count == run.cells.count { return text + "Nothing was measured." }
    let (troubling, natural) = (total(false), total(true))
    text +=
      troubling == 0
      ? "Everything that could have a value has one"
      : "\(NumberStyle.decimals(0).text(Double(troubling))) measurements are missing"
    if natural > 0 {
      text +=
        "; \(NumberStyle.decimals(0).text(Double(natural))) don't apply, since the recording or "
        + "the score has nothing of the kind"
    }
    return text + "."
  }
}
