import Metrics
import Pages
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
      drawing(.latency, "trade-latency", "Pitch error against latency"),
      drawing(.cost, "trade-cost", "Pitch error against cost"),
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
    let scales = answer.axes.filter(\.isWeighed).map { axis in
      let scale = NumberStyle.setting.text(axis.scale)
      return "\(scale)\(axis.unit.isEmpty ? "" : " \(axis.unit)") of \(axis.axis.rawValue)"
    }
    var text =
      "Recommended: \(facts.text(best)) (\(VerdictPart.rule(answer)), where "
      + "\(scales.joined(separator: ", ")) count as 1)."
    if let share = best.chosenShare {
      text += " It is recommended in \(percent(share)) of draws of the recordings"
      text += best.frontShare.map { " and on the front in \(percent($0))." } ?? "."
    }
    let undefined = answer.undefinedAxes.map { "\($0.key) (\($0.value))" }.sorted()
    if !undefined.isEmpty { text += " Undefined axes: \(undefined.joined(separator: ", "))." }
    return text
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
      guard let x = point.figures[axis.rawValue], let y = point.figures[TuneAxis.pitch.rawValue]
      else { return nil }
      return TradePlot.Point(
        facts.text(point), x: x.value, y: y.value, xInterval: bounds(x), yInterval: bounds(y),
        role: role(point), audioLink: audioLinks[choice(point)])
    }
    guard Set(points.map(\.x)).count > 1 else { return nil }
    return Drawing(
      id: id, title: title,
      shows: "Down and to the left is better; the steps join the best points of these two axes."
        + (clip == nil ? "" : " Press a coloured point to hear it."),
      omits: "the other axes, which can put a setting above the steps on the front.",
      command: facts.command,
      plot: .trade(
        TradePlot(
          x: Axis(
            axis.rawValue, unit: axis == .cost ? "% of a core" : axis.unit, scale: .logarithmic),
          y: Axis("pitch error", unit: "cents", including: [0]), points: points)))
  }

  private func bounds(_ figure: TuneAnswer.Figure) -> Bounds? {
    figure.interval.flatMap { Bounds($0.lowerBound, $0.upperBound, meaning: "95 %") }
  }

  private func role(_ point: TuneAnswer.Point) -> TradePlot.Role {
    let choice = choice(point)
    if choice == facts.choice { return .recommended }
    if choice.isDefault { return .default }
    return point.isOnFront ? .front : .dominated
  }

  private func choice(_ point: TuneAnswer.Point) -> SettingChoice {
    SettingChoice(point)
  }

  // MARK: Tables

  /// Table of all settings: the front first, by total cost.
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
        audioLinks[choice(point)].map { .heard(name, $0) } ?? name, .text(role(point).words),
      ] + figures + [
        .amount(Amount(point.frontShare.map { $0 * 100 }, otherwise: "too few recordings")),
        .amount(Amount(point.chosenShare.map { $0 * 100 }, otherwise: "too few recordings")),
        .amount(Amount(point.distance, otherwise: "an axis is undefined")),
      ]
    }
    var table = Table(
      id: "trade-settings", title: "Every setting on every axis",
      columns: [.text("setting", "setting"), .text("role", "role")] + columns + [
        .number("front_percent", "on the front", unit: "%", style: .decimals(0)),
        .number("chosen_percent", "recommended", unit: "%", style: .decimals(0)),
        .number("distance", "total cost", style: .decimals(2)),
      ], rows: rows,
      note: "Medians over recordings; from and to: 95 % interval by draws of recordings. On the "
        + "front, recommended: shares of the draws. Total cost: the sum of the distances from the "
        + "ideal, in units of each axis." + (clip == nil ? "" : " Press a linked name to hear it."))
    table.mostShown = 16
    return table.withoutEmptyColumns()
  }

  private static func style(_ axis: TuneAxis) -> NumberStyle {
    switch axis {
    case .latency, .pitch, .formants, .timbre: .decimals(1)
    case .intelligibility: .decimals(2)
    case .cost: .significant(2)
    }
  }

  /// Common limits of latency; the table shows those that change the answer.
  private static let limitsMs = [5.0, 10, 15, 20, 30, 50]

  private var budgets: Table? {
    func latency(_ point: TuneAnswer.Point) -> Double? {
      point.figures[TuneAxis.latency.rawValue]?.value
    }
    var rows: [[Table.Cell]] = []
    var last: String?
    for limit in Self.limitsMs {
      let within = answer.points.filter { latency($0).map { $0 <= limit } ?? false }
      let best = within.filter { $0.distance != nil }.min { $0.distance! < $1.distance! }
      guard let best else { continue }
      let name = facts.text(best)
      if name == last { continue }
      last = name
      rows.append([
        .amount(Amount(limit)), .text(name), .amount(Amount(latency(best))),
        .amount(Amount(best.figures[TuneAxis.pitch.rawValue]?.value)),
        .amount(Amount(best.figures[TuneAxis.cost.rawValue]?.value)),
        .amount(
          Amount(
            best.figures[TuneAxis.intelligibility.rawValue]?.value,
            otherwise: "no synthetic recording")),
      ])
    }
    guard rows.count > 1 else { return nil }
    var table = Table(
      id: "trade-budgets", title: "Recommended settings under a limit of latency",
      columns: [
        .number("limit_ms", "limit", unit: "ms", style: .setting),
        .text("setting", "recommended"),
        .number("latency_ms", "latency", unit: "ms", style: .decimals(1)),
        .number("pitch_cents", "pitch error", unit: "cents", style: .decimals(1)),
        .number("cost_percent", "cost", unit: "% of a core", style: .significant(2)),
        .number("estoi", "ESTOI", style: .decimals(2)),
      ], rows: rows, note: "Limits that change nothing are left out.")
    table.isInSummary = true
    return table
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
        value(.latency), value(.pitch), value(.intelligibility),
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
        .number("pitch_cents", "pitch error", unit: "cents", style: .decimals(1)),
        .number("estoi", "ESTOI", style: .decimals(2)),
        .number("chosen_percent", "share of draws", unit: "%", style: .decimals(0)),
        .number("recordings", "recordings", style: .decimals(0)),
      ], rows: rows,
      note:
        "Registers by the median pitch: low up to E3, middle up to E4, high up to E5, top above.")
  }
}
