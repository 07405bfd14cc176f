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

  init(facts: RunFacts) {
    self.facts = facts
    (clip, audioLinks) = TradeClip(facts: facts).clip()
  }

  private var answer: TuneAnswer { facts.answer }

  /// The section; `nil` for a single setting or axis.
  func section() -> Section? {
    guard answer.points.count > 1, answer.axes.count > 1 else { return nil }
    var drawings = [
      drawing(.latency, Self.latencyDrawing, "What is heard against latency"),
      drawing(.cost, "trade-cost", "What is heard against cost"),
    ].compactMap(\.self)
    // The player belongs below the first drawing.
    if !drawings.isEmpty { drawings[0].clip = clip }
    let tables = [settings, budgets, groups].compactMap(\.self)
    return Section(
      id: "trade", title: "Trade-offs", intro: explanation + silence, drawings: drawings,
      tables: tables, clips: drawings.isEmpty ? [clip].compactMap(\.self) : [])
  }

  /// The front beside the verdict, with the sound of the recommended setting; `nil` without a front.
  static func lead(in sections: [Section]) -> ReportPage.Lead? {
    guard let drawing = sections.lazy.flatMap(\.drawings).first(where: { $0.id == latencyDrawing }),
      let front = drawing.plot as? TradePlot
    else { return nil }
    let link = front.points.first { $0.role == .recommended }?.audioLink
    return .init(
      drawing: drawing.id, sounds: link.map { ("Play the recommended setting", $0) }.part)
  }

  private static let latencyDrawing = "trade-latency"

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
        " No budget was set: with one, such as --budget latency=20, tune and report may "
        + "recommend another setting."
    }
    text +=
      " The rule: of the settings within the budgets that lose no voice which another keeps, the first of "
      + "the plan that is less than one step behind the lowest total, or less than a third of "
      + "its audible total where other recordings could turn that round."
    text += " Heard first: \(answer.heardFirst(of: best))."
    if let share = best.chosenShare {
      text += " It is recommended in \(percent(share)) of draws of the recordings"
      text += best.frontShare.map { " and on the front in \(percent($0))." } ?? "."
    }
    if !answer.alike.isEmpty {
      let names = answer.alike.map { facts.text(answer.points[$0]) }
      text +=
        " These recordings show no noticeable difference from: \(names.joined(separator: "; "))."
    }
    for left in answer.leftOut {
      let choice = SettingChoice(subject: left.subject, settings: left.settings)
      text += " Not compared: \(facts.text(choice)), which \(left.reason)."
    }
    text += answer.failedWords.map { " \($0)" } ?? ""
    for equal in answer.equalSettings {
      text += " One setting, because their sounds are equal: \(listed(equal.map(facts.text)))."
    }
    text += answer.unheardSettings.map { " \($0.words)" }.joined()
    let undefined = answer.undefinedAxes.map { "\($0.key) (\($0.value))" }.sorted()
    if !undefined.isEmpty { text += " Undefined axes: \(undefined.joined(separator: ", "))." }
    return "\(text) \(TuneAnswer.weightWords)"
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
        name: facts.text(point), x: x.value, y: y, xInterval: Bounds(x.interval, meaning: "95 %"),
        role: role(point),
        audioLink: audioLinks[SettingChoice(point)])
    }
    guard Set(points.map(\.x)).count > 1 else { return nil }
    // A file may be early, which a logarithmic axis can't show.
    let isPositive = points.allSatisfy { $0.x > 0 }
    return Drawing(
      id: id, title: title,
      shows: "Down and to the left is better; the line joins the best settings. A fault at the "
        + "threshold of hearing is one step, at three times the threshold two."
        + (clip != nil
          ? " Press a coloured point to hear it."
          : facts.run.plan.listen == nil
            ? " To hear the settings, name recordings under listen: in the plan." : ""),
      omits:
        "\(axis == .cost ? "latency" : "cost"), for which a filled point may lie above the line, and lost "
        + "voices, which the table has.",
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
    let undefined = "an axis is undefined"
    var fields: [Table.Field<TuneAnswer.Point>] = [
      .cell("setting", "setting") { point in
        let name = Table.Cell.text(facts.text(point))
        return audioLinks[SettingChoice(point)].map { .heard(name, $0) } ?? name
      },
      .text("role", "role") { role($0).words },
      .text("loses", "loses") { $0.losses.map(\.words).joined(separator: "; ") },
      .text("heard_first", "heard first") { answer.heardFirst(of: $0) },
      .number(
        "audible_steps", "audible total", unit: "steps", style: .decimals(1),
        otherwise: undefined, \.faults),
    ]
    fields += answer.axes.map { axis in
      let name = axis.axis.rawValue
      return .amount(
        Table.Column.name(name, unit: axis.unit), name, unit: axis.unit,
        style: axis.axis.style
      ) { point in
        Amount(
          point.figures[name]?.value,
          otherwise: point.undefined[name] ?? Undefined(.notMeasured, "not measured"))
      }
    }
    fields += [
      .number(
        "front_percent", "on the front", unit: "%", style: .decimals(0),
        otherwise: "too few recordings"
      ) { $0.frontShare.map { $0 * 100 } },
      .number(
        "chosen_percent", "recommended", unit: "%", style: .decimals(0),
        otherwise: "too few recordings"
      ) { $0.chosenShare.map { $0 * 100 } },
      .number(
        "distance", "total", unit: "steps", style: .decimals(1), otherwise: undefined, \.distance),
    ]
    return Table(
      id: "trade-settings", title: "Every setting on every axis", of: sorted, fields,
      note:
        "Faults are those of the worst voice of the worst register; latency and cost medians of the "
        + "worst register, with intervals in the tables of the figures. One step is a fault at the "
        + "threshold of hearing, two steps a fault at three times it; \(step(.latency)) ms and "
        + "\(step(.cost)) % of a core are one step each. On the front, recommended: shares of the "
        + "draws."
        + (clip == nil ? "" : " Press a linked name to hear it."),
      maxShown: 16
    ).withoutEmptyColumns()
  }

  /// The amount of latency or cost that counts as one step.
  private func step(_ axis: TuneAxis) -> String {
    let used = answer.axes.first { $0.axis == axis }?.scale
    return NumberStyle.setting.text(used ?? axis.defaultScale)
  }

  /// The limits of latency that change the answer.
  private var budgets: Table? {
    var rows: [TuneAnswer.Limit] = []
    for limit in answer.limits where limit.chosen != rows.last?.chosen { rows.append(limit) }
    guard rows.count > 1 else { return nil }
    func best(_ limit: TuneAnswer.Limit) -> TuneAnswer.Point { answer.points[limit.chosen] }
    let fields: [Table.Field<TuneAnswer.Limit>] = [
      .number("limit_ms", "limit", unit: "ms", style: .setting) { $0.latencyMs },
      .text("setting", "recommended") { facts.text(best($0)) },
      .number("latency_ms", "latency", unit: "ms", style: .decimals(1)) {
        best($0).figures[TuneAxis.latency.rawValue]?.value
      },
      .number("audible_steps", "audible total", unit: "steps", style: .decimals(1)) {
        best($0).faults
      },
      .number("cost_percent", "cost", unit: "% of a core", style: .significant(2)) {
        best($0).figures[TuneAxis.cost.rawValue]?.value
      },
      .text("loses", "loses") { $0.losses.map(\.words).joined(separator: "; ") },
    ]
    return Table(
      id: "trade-budgets", title: "Recommended settings under a limit of latency", of: rows,
      fields, note: "Limits that change nothing are left out.", isInSummary: true
    ).withoutEmptyColumns()
  }

  /// Recommended settings for each kind of voice and register.
  private var groups: Table? {
    let rows = answer.groups.compactMap { group in
      group.chosen.map { (group: group, chosen: answer.points[$0]) }
    }
    guard rows.count > 1 else { return nil }
    typealias Field = Table.Field<(group: TuneAnswer.Group, chosen: TuneAnswer.Point)>
    func figure(_ axis: TuneAxis, _ name: String, _ title: String, _ unit: String) -> Field {
      .amount(name, title, unit: unit, style: .decimals(1)) {
        Amount($0.group.figures[axis.rawValue]?.value, otherwise: $0.group.note ?? "undefined")
      }
    }
    let fields: [Field] = [
      .text("group", "group") { "\($0.group.by) \($0.group.name)" },
      .text("setting", "recommended") { facts.text($0.chosen) },
      figure(.latency, "latency_ms", "latency", "ms"),
      figure(.missing, "missing_percent", "missing", "%"),
      figure(.gross, "gross_percent", "wrong notes", "%"),
      figure(.pitch, "pitch_cents", "pitch error", "cents"),
      .text("lost_by_all", "lost by all settings") { $0.group.unkept.joined(separator: ", ") },
      .number(
        "chosen_percent", "share of draws", unit: "%", style: .decimals(0),
        otherwise: "fewer than five recordings"
      ) { $0.group.chosenShare.map { $0 * 100 } },
      .count("recordings") { $0.group.recordings.count },
    ]
    return Table(
      id: "trade-groups", title: "Recommended settings by kind of voice", of: rows, fields,
      note:
        "Faults are those of the worst voice. Registers by the median pitch: low up to E3, middle up to "
        + "E4, high up to E5, top above. Lost by all settings: recordings on which every setting loses a "
        + "voice in more than \(NumberStyle.setting.text(answer.lostLimitPercent)) % of the frames."
    ).withoutEmptyColumns()
  }
}
