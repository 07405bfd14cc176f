import Metrics
import Platform
import Sweep
import Tuning

/// The trade-offs of quality, latency and cost: the front, the default and the recommended setting.
struct TradeSection {
  let facts: RunFacts
  /// One recording at every setting of the front; `nil` if no sound was kept.
  private let clip: Clip?
  /// The link that plays each setting in that clip.
  private let audioLinks: [SettingChoice: AudioLink]

  /// - Parameter isSilent: true for a section without sound.
  init(facts: RunFacts, isSilent: Bool = false) {
    self.facts = facts
    (clip, audioLinks) = isSilent ? (nil, [:]) : TradeClip(facts: facts).clip()
  }

  private var answer: TuneAnswer { facts.answer }

  /// The section; `nil` for a single setting or axis.
  func section() -> Section? {
    guard answer.points.count > 1, answer.axes.count > 1 else { return nil }
    var drawings = [
      drawing(.latency, "trade-latency", "What is heard against latency"),
      drawing(.cost, "trade-cost", "What is heard against cost"),
    ].compactMap(\.self)
    // The player belongs below the first drawing.
    if !drawings.isEmpty { drawings[0].clip = clip }
    let tables = [settings, budgets, groups].compactMap(\.self)
    return Section(
      id: "trade", title: "Trade-offs", intro: explanation + silence, drawings: drawings,
      tables: tables, clips: drawings.isEmpty ? [clip].compactMap(\.self) : [])
  }

  // MARK: The recommendation

  private var explanation: String {
    guard let best = answer.best.map({ answer.points[$0] }) else {
      return "No setting has a value on every axis, so none is recommended."
    }
    let words = VerdictPart.words(
      answer, of: answer.points.count, isWhole: facts.recommendation.isWhole)
    var text = "\(words) \(facts.text(best))."
    if answer.budgetWords == nil {
      text +=
        " No budget was set: with one, such as --max-latency-ms 20, tune and report may "
        + "recommend another setting."
    }
    text +=
      " The rule: the fewest steps for faults of the worst voice of the worst register, latency and cost, "
      + "and no voice lost that another setting keeps."
    if let first = best.heard.first { text += " Heard first: \(first.sentence)." }
    if let share = best.chosenShare {
      text += " It is recommended in \(percent(share)) of draws of the recordings"
      text += best.frontShare.map { " and on the front in \(percent($0))." } ?? "."
    }
    for left in answer.leftOut {
      let choice = SettingChoice(subject: left.subject, settings: left.settings)
      text += " Not compared: \(facts.text(choice)), which \(left.reason)."
    }
    for equal in answer.equalSettings {
      text += " One setting, because their sounds are equal: \(listed(equal.map(facts.text)))."
    }
    let undefined = answer.undefinedAxes.map { "\($0.key) (\($0.value))" }.sorted()
    if !undefined.isEmpty { text += " Undefined axes: \(undefined.joined(separator: ", "))." }
    return "\(text) \(answer.weightWords)"
  }

  private var silence: String {
    (facts.run.plan.listen ?? []).isEmpty
      ? " The plan keeps no sound: name recordings under ‘listen’ in the plan to hear them here."
      : ""
  }

  private func percent(_ share: Double) -> String {
    "\(NumberStyle.decimals(0).text(share * 100)) %"
  }

  // MARK: Drawings

  private func drawing(_ axis: TuneAxis, _ id: String, _ title: String) -> Drawing? {
    let points = answer.points.compactMap { point -> TradePlot.Point? in
      guard let x = point.figures[axis.rawValue], let y = point.faults else { return nil }
      return TradePlot.Point(
        name: facts.text(point), x: x.value, y: y, xInterval: Bounds(x.interval, meaning: "95 %"), role: role(point),
        audioLink: audioLinks[SettingChoice(point)])
    }
    guard Set(points.map(\.x)).count > 1 else { return nil }
    // A file may be early, which a logarithmic axis can't show.
    let isPositive = points.allSatisfy { $0.x > 0 }
    return Drawing(
      id: id, title: title,
      shows: "Down and to the left is better; the steps join the best points of these two axes."
        + (clip == nil ? "" : " Press a coloured point to hear it."),
      omits:
        "the third axis, which can put a setting above the steps on the front; and whether a voice "
        + "is lost, which the table has.",
      command: facts.command,
      plot: TradePlot(
          x: Axis(
            axis.rawValue, unit: axis == .cost ? "% of a core" : axis.unit,
            scale: isPositive ? .logarithmic : .linear),
          y: Axis("audible total", unit: "steps", including: [0]), points: points))
  }

  private func role(_ point: TuneAnswer.Point) -> TradePlot.Role {
    let choice = SettingChoice(point)
    if choice == facts.choice { return .recommended }
    if choice.isDefault { return .default }
    return point.isOnFront ? .front : .dominated
  }

  // MARK: Tables

  /// Table of all settings: the front first, by total.
  private var settings: Table {
    let sorted = answer.points.sorted {
      ($0.isOnFront ? 0 : 1, $0.distance ?? .infinity)
        < ($1.isOnFront ? 0 : 1, $1.distance ?? .infinity)
    }
    let axes = answer.axes
    let columns = axes.flatMap { axis -> [Table.Column] in
      let name = axis.axis.rawValue
      let style = Self.style(axis.axis)
      return [
        .number(Table.Column.name(name, unit: axis.unit), name, unit: axis.unit, style: style),
        .number("\(name)_low", "from", unit: axis.unit, style: style),
        .number("\(name)_high", "to", unit: axis.unit, style: style),
      ]
    }
    let rows = sorted.map { point -> [Table.Cell] in
      let figures = axes.flatMap { axis -> [Table.Cell] in
        let figure = point.figures[axis.axis.rawValue]
        let reason = point.undefined[axis.axis.rawValue] ?? Undefined(.notMeasured, "not measured")
        let note = figure?.note.map { Undefined(.notMeasured, $0) } ?? reason
        return [
          .amount(Amount(figure?.value, otherwise: reason)),
          .amount(Amount(figure?.interval?.lowerBound, otherwise: note)),
          .amount(Amount(figure?.interval?.upperBound, otherwise: note)),
        ]
      }
      let name = Table.Cell.text(facts.text(point))
      return [
        audioLinks[SettingChoice(point)].map { .heard(name, $0) } ?? name, .text(role(point).words),
        .text(point.losses.map(\.words).joined(separator: "; ")),
        .text(answer.heardFirst(of: point)),
        .amount(Amount(point.faults, otherwise: "an axis is undefined")),
      ] + figures + [
        .amount(Amount(point.frontShare.map { $0 * 100 }, otherwise: "too few recordings")),
        .amount(Amount(point.chosenShare.map { $0 * 100 }, otherwise: "too few recordings")),
        .amount(Amount(point.distance, otherwise: "an axis is undefined")),
      ]
    }
    var table = Table(
      id: "trade-settings", title: "Every setting on every axis",
      columns: [
        .text("setting", "setting"), .text("role", "role"),
        .text("loses", "loses"), .text("heard_first", "heard first"),
        .number("audible_steps", "audible total", unit: "steps", style: .decimals(1)),
      ] + columns + [
        .number("front_percent", "on the front", unit: "%", style: .decimals(0)),
        .number("chosen_percent", "recommended", unit: "%", style: .decimals(0)),
        .number("distance", "total", unit: "steps", style: .decimals(1)),
      ], rows: rows,
      note:
        "Faults are those of the worst voice of the worst register; latency and cost medians of the "
        + "worst register, from and to their 95 % interval by draws of recordings. One step is a fault "
        + "at the threshold of hearing, each further step doubles it; \(step(.latency)) ms and "
        + "\(step(.cost)) % of a core are one step each. On the front, recommended: shares of the "
        + "draws."
        + (clip == nil ? "" : " Press a linked name to hear it."))
    table.mostShown = 16
    return table.withoutEmptyColumns()
  }

  /// The amount of latency or cost that counts as one step.
  private func step(_ axis: TuneAxis) -> String {
    let used = answer.axes.first { $0.axis == axis }?.scale
    return NumberStyle.setting.text(used ?? axis.defaultScale)
  }

  private static func style(_ axis: TuneAxis) -> NumberStyle {
    switch axis {
    case .intelligibility: .decimals(2)
    case .cost: .significant(2)
    default: .decimals(1)
    }
  }

  /// The limits of latency that change the answer.
  private var budgets: Table? {
    var rows: [[Table.Cell]] = []
    var last: Int?
    for limit in answer.limits where limit.chosen != last {
      last = limit.chosen
      let best = answer.points[limit.chosen]
      rows.append([
        .amount(Amount(limit.latencyMs)), .text(facts.text(best)),
        .amount(Amount(best.figures[TuneAxis.latency.rawValue]?.value)),
        .amount(Amount(best.faults)),
        .amount(Amount(best.figures[TuneAxis.cost.rawValue]?.value)),
        .text(limit.losses.map(\.words).joined(separator: "; ")),
      ])
    }
    guard rows.count > 1 else { return nil }
    var table = Table(
      id: "trade-budgets", title: "Recommended settings under a limit of latency",
      columns: [
        .number("limit_ms", "limit", unit: "ms", style: .setting),
        .text("setting", "recommended"),
        .number("latency_ms", "latency", unit: "ms", style: .decimals(1)),
        .number("audible_steps", "audible total", unit: "steps", style: .decimals(1)),
        .number("cost_percent", "cost", unit: "% of a core", style: .significant(2)),
        .text("loses", "loses"),
      ], rows: rows, note: "Limits that change nothing are left out.")
    table.isInSummary = true
    return table.withoutEmptyColumns()
  }

  /// Recommended settings for each kind of voice and register.
  private var groups: Table? {
    let rows = answer.groups.compactMap { group -> [Table.Cell]? in
      guard let chosen = group.chosen else { return nil }
      func value(_ axis: TuneAxis) -> Table.Cell {
        .amount(Amount(group.figures[axis.rawValue]?.value, otherwise: group.note ?? "undefined"))
      }
      return [
        .text("\(group.by) \(group.name)"), .text(facts.text(answer.points[chosen])),
        value(.latency), value(.missing), value(.gross), value(.pitch),
        .text(group.unkept.joined(separator: ", ")),
        .amount(
          Amount(group.chosenShare.map { $0 * 100 }, otherwise: "fewer than five recordings")),
        .amount(Amount(Double(group.recordings.count))),
      ]
    }
    guard rows.count > 1 else { return nil }
    return Table(
      id: "trade-groups", title: "Recommended settings by kind of voice",
      columns: [
        .text("group", "group"), .text("setting", "recommended"),
        .number("latency_ms", "latency", unit: "ms", style: .decimals(1)),
        .number("missing_percent", "missing", unit: "%", style: .decimals(1)),
        .number("gross_percent", "wrong notes", unit: "%", style: .decimals(1)),
        .number("pitch_cents", "pitch error", unit: "cents", style: .decimals(1)),
        .text("lost_by_all", "lost by all settings"),
        .number("chosen_percent", "share of draws", unit: "%", style: .decimals(0)),
        .number("recordings", "recordings", style: .decimals(0)),
      ], rows: rows,
      note:
        "Faults are those of the worst voice. Registers by the median pitch: low up to E3, middle up to "
        + "E4, high up to E5, top above. Lost by all settings: recordings on which every setting loses a "
        + "voice in more than \(NumberStyle.setting.text(answer.lostLimitPercent)) % of the frames."
    ).withoutEmptyColumns()
  }
}
