import CommandSupport
import Corpus
import Foundation
import Sweep
import Tuning

/// The answer of `tune`, as text and as JSON.
enum TuneText {
  static func json(_ answer: TuneAnswer, _ run: StoredRun) throws -> String {
    struct Output: Encodable {
      var schema = "choir-eval.tune/1"
      var plan: Plan
      var cells: Int
      var rule = TuneGoal.rule
      var answer: TuneAnswer
    }
    return try JSON.text(Output(plan: run.plan, cells: run.cells.count, answer: answer))
  }

  static func text(_ answer: TuneAnswer, _ run: StoredRun) -> String {
    [
      run.plan.title, verdict(answer), points(answer), legend(answer), groups(answer),
      sensitivity(answer), search(answer),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  // MARK: - The answer in words

  private static func verdict(_ answer: TuneAnswer) -> String {
    guard let best = answer.best else { return "No setting has a value on every axis." }
    let point = answer.points[best]
    var lines: [String] = []
    if answer.recommended == nil {
      let misses = answer.misses.sorted { $0.key < $1.key }.map { name, over in
        "\(name) by \(format(over, 2)) \(unit(name, answer))".trimmed
      }
      lines.append(
        "No setting fits the budgets. Nearest: \(name(point, answer)), which "
          + (misses.isEmpty
            ? "has no value to compare with them" : "misses " + misses.joined(separator: ", "))
          + ".")
    } else {
      let name = name(point, answer)
      lines.append(name.isEmpty ? "The plan has one setting only:" : "Recommended: \(name)")
    }
    let figures = answer.axes.compactMap { axis in
      point.figures[axis.axis.rawValue].map { "\(axis.axis.rawValue) \(text($0, axis))" }
    }
    lines.append("  " + figures.joined(separator: ", "))
    if answer.recommended == nil, let share = point.fitShare {
      lines.append("  It is within the budgets in \(percent(share)) of draws of the recordings.")
    } else if let share = point.chosenShare {
      lines.append(
        "  It is recommended in \(percent(share)) of draws of the "
          + "\(answer.recordings.count) recordings" + rivals(of: best, answer) + ".")
    } else {
      lines.append(
        "  \(answer.recordings.count) recordings are too few to state how certain that is.")
    }
    return lines.joined(separator: "\n")
  }

  /// Other settings that at least one draw in ten recommends.
  private static func rivals(of best: Int, _ answer: TuneAnswer) -> String {
    let shares = answer.points.map { $0.chosenShare ?? 0 }
    let rivals = shares.indices.filter { $0 != best && shares[$0] >= 0.1 }
      .sorted { shares[$0] > shares[$1] }
    let texts = rivals.map { "\(name(answer.points[$0], answer)) (\(percent(shares[$0])))" }
    return texts.isEmpty ? "" : "; others: " + texts.joined(separator: ", ")
  }

  // MARK: - Tables

  private static func points(_ answer: TuneAnswer) -> String {
    let names = settingNames(answer)
    var header = [" "] + (hasSubjects(answer) ? ["subject"] : []) + names
    for axis in answer.axes {
      header.append("\(axis.axis.rawValue) \(axis.unit)".trimmed)
      if axis.axis == .latency { header.append("by law") }
    }
    let hasImpulses = answer.points.contains { $0.impulseLatencyMs != nil }
    header += (hasImpulses ? ["impulses ms", "by law"] : []) + ["distance", "front", "chosen"]
    var table = TextTable(header: header)
    for index in order(answer) {
      let point = answer.points[index]
      var row = [mark(index, answer)] + (hasSubjects(answer) ? [point.subject] : [])
      row += names.map { point.settings[$0]?.description ?? "–" }
      for axis in answer.axes {
        row.append(point.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–")
        if axis.axis == .latency { row.append(format(point.predictedLatencyMs, 1)) }
      }
      if hasImpulses {
        row += [format(point.impulseLatencyMs, 1), format(point.predictedImpulseLatencyMs, 1)]
      }
      row += [
        format(point.distance, 2), point.frontShare.map(percent) ?? "–",
        point.chosenShare.map(percent) ?? "–",
      ]
      table.rows.append(row)
    }
    return table.text()
  }

  private static func legend(_ answer: TuneAnswer) -> String {
    let scales = answer.axes.filter(\.isWeighed).map { axis -> String in
      let amount = [short(axis.scale), axis.unit].filter { !$0.isEmpty }.joined(separator: " ")
      return "\(amount) of \(axis.axis.rawValue)"
    }
    let metrics = answer.axes.map { axis in "\(axis.axis.rawValue) \(axis.metric)" }
    var lines = [
      "→ recommended, ~ nearest miss, * on the front (not dominated), × over budget, ↓ dropped early. "
        + "Medians over recordings, [95 %] from \(answer.draws) draws of "
        + "\(answer.recordings.count) recordings; – undefined.",
      "front, chosen: share of draws. distance: total cost, the sum of the distances from the ideal, "
        + scales.joined(separator: " = ") + " = 1; differences below a tenth of that don't count.",
      "Measured by: " + metrics.joined(separator: ", ") + ".",
    ]
    for (axis, reason) in answer.undefinedAxes.sorted(by: { $0.key < $1.key }) {
      lines.append("\(axis) is undefined: \(reason).")
    }
    var notes: [String: Set<String>] = [:]
    for point in answer.points where point.droppedAfterRound == nil {
      for (axis, figure) in point.figures {
        if let note = figure.note { notes[axis, default: []].insert(note) }
      }
      for (axis, reason) in point.undefined { notes[axis, default: []].insert(reason.detail) }
    }
    for (axis, reasons) in notes.sorted(by: { $0.key < $1.key }) {
      lines.append("\(axis): \(reasons.sorted().joined(separator: "; ")).")
    }
    let laws = Set(answer.points.compactMap(\.noLaw))
    for reason in laws.sorted() { lines.append("Some settings have no law: \(reason).") }
    return lines.joined(separator: "\n")
  }

  private static func groups(_ answer: TuneAnswer) -> String {
    guard !answer.groups.isEmpty else { return "" }
    var table = TextTable(
      header: ["group", "recordings", "recommended"]
        + answer.axes.map { "\($0.axis.rawValue) \($0.unit)".trimmed } + ["chosen", ""])
    for group in answer.groups {
      let notes = [
        group.chosen != nil && !group.fits ? "over budget" : nil, group.note,
      ].compactMap(\.self)
      let choice = group.chosen.map { name(answer.points[$0], answer) } ?? "–"
      var row = ["\(group.by) \(group.name)", "\(group.recordings.count)", choice]
      for axis in answer.axes {
        row.append(group.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–")
      }
      row += [group.chosenShare.map(percent) ?? "–", notes.joined(separator: "; ")]
      table.rows.append(row)
    }
    return "By kind of voice\n\n" + table.text()
  }

  private static func sensitivity(_ answer: TuneAnswer) -> String {
    let parts = answer.axes.compactMap { axis in
      answer.sensitivity[axis.axis.rawValue].map { (axis.axis.rawValue, $0) }
    }
    guard let first = parts.first?.1 else { return "" }
    var table = TextTable(header: ["figure", "setting", "share", "alone", "interacts with"])
    for (name, part) in parts {
      for (place, effect) in part.effects.enumerated() {
        let partners = part.interactions.filter {
          $0.settings.contains(effect.setting) && $0.share >= 0.01
        }.map { pair in
          "\(pair.settings.first { $0 != effect.setting } ?? "") \(percent(pair.share))"
        }
        table.rows.append([
          place == 0 ? name : "", effect.setting, effect.share.map(percent) ?? "–",
          percent(effect.alone), partners.joined(separator: ", "),
        ])
      }
    }
    let caution =
      first.isFullGrid
      ? ""
      : "\n\nSome combinations are missing, so the effects of single settings overlap; shares sum to "
        + "100 %."
    return "Sensitivity: shares of the variance over the settings tried\n\n" + table.text()
      + caution
  }

  private static func search(_ answer: TuneAnswer) -> String {
    guard let search = answer.search else { return "" }
    let rounds = search.rounds.map { "\($0.settings) on \($0.slices)" }.joined(separator: ", ")
    return "Adaptive search: \(search.cells) of \(search.gridCells) cells "
      + "(\(percent(Double(search.cells) / Double(search.gridCells)))); settings on recordings and "
      + "conditions: \(rounds). Only the last \(search.rounds.last?.settings ?? 0) were compared with "
      + "each other; run the full grid for the front of all settings."
  }

  // MARK: - Parts

  /// Indices in display order: the recommended setting, the front by distance, then the others.
  private static func order(_ answer: TuneAnswer) -> [Int] {
    func key(_ index: Int) -> (Int, Int, Double, Int) {
      let point = answer.points[index]
      let place = index == answer.best ? 0 : point.isOnFront ? 1 : 2
      // Settings that were dropped later come first.
      let heard = point.droppedAfterRound.map { -$0 } ?? Int.min
      return (place, heard, point.distance ?? .infinity, index)
    }
    return answer.points.indices.sorted { key($0) < key($1) }
  }

  private static func mark(_ index: Int, _ answer: TuneAnswer) -> String {
    let point = answer.points[index]
    let first = index == answer.recommended ? "→" : index == answer.nearestMiss ? "~" : ""
    return first + (point.isOnFront ? "*" : "") + (point.fits ? "" : "×")
      + (point.droppedAfterRound == nil ? "" : "↓")
  }

  /// Names of the settings that differ between points; all names if none differs.
  private static func settingNames(_ answer: TuneAnswer) -> [String] {
    let all = Set(answer.points.flatMap(\.settings.keys)).sorted()
    let varied = all.filter { name in Set(answer.points.map { $0.settings[name] }).count > 1 }
    return varied.isEmpty ? all : varied
  }

  private static func hasSubjects(_ answer: TuneAnswer) -> Bool {
    Set(answer.points.map(\.subject)).count > 1
  }

  private static func name(_ point: TuneAnswer.Point, _ answer: TuneAnswer) -> String {
    let names = settingNames(answer).filter { point.settings[$0] != nil }
    return
      ((hasSubjects(answer) ? [point.subject] : [])
      + names.map { "\($0)=\(point.settings[$0]!)" }).joined(separator: " ")
  }

  private static func unit(_ axis: String, _ answer: TuneAnswer) -> String {
    answer.axes.first { $0.axis.rawValue == axis }?.unit ?? ""
  }

  private static func text(
    _ figure: TuneAnswer.Figure, _ axis: TuneAnswer.Axis, unit: Bool = true
  ) -> String {
    let places = axis.scale >= 10 ? 1 : 2
    let range = figure.interval.map {
      " [\(format($0.lowerBound, places)), \(format($0.upperBound, places))]"
    }
    let suffix = unit && !axis.unit.isEmpty ? " \(axis.unit)" : ""
    return format(figure.value, places) + suffix + (range ?? "")
  }

  private static func short(_ value: Double) -> String { String(format: "%g", value) }

  private static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
