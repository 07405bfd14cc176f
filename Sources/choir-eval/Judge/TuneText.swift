import CommandSupport
import Corpus
import Files
import Foundation
import Sweep
import Tuning

/// The answer of `tune`, as text and as JSON.
enum TuneText {
  static func json(_ answer: TuneAnswer, _ run: StoredRun) throws -> String {
    struct Output: Encodable {
      var schema = "choir-eval.tune/2"
      var plan: Plan
      var cells: Int
      var rule = TuneGoal.rule
      var answer: TuneAnswer
    }
    return try JSON.text(Output(plan: run.plan, cells: run.cells.count, answer: answer))
  }

  static func text(_ answer: TuneAnswer, _ run: StoredRun) -> String {
    [
      run.plan.title, verdict(answer), groups(answer), points(answer), faults(answer),
      legend(answer), sensitivity(answer), search(answer),
    ].filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  // MARK: - The answer in words

  private static func verdict(_ answer: TuneAnswer) -> String {
    guard let best = answer.best else { return "No setting has a value on every axis." }
    let point = answer.points[best]
    var lines = [headline(point, answer)]
    let figures = answer.axes.filter { !$0.axis.isHeard }.compactMap { axis in
      point.figures[axis.axis.rawValue].map { "\(axis.axis.rawValue) \(text($0, axis))" }
    }
    let steps = point.faults.map { "audible total \(format($0, 1)) steps" }
    lines.append("  " + ([steps].compactMap(\.self) + figures).joined(separator: ", "))
    lines.append("  Heard first: \(point.heard.first?.sentence ?? "nothing above its threshold").")
    if answer.recommended == nil, let share = point.fitShare {
      lines.append("  It fits in \(percent(share)) of draws of the recordings.")
    } else if let share = point.chosenShare {
      lines.append(
        "  It is recommended in \(percent(share)) of draws of the "
          + "\(counted(answer.recordings.count, "recording"))" + rivals(of: best, answer) + ".")
    } else {
      lines.append(
        "  \(counted(answer.recordings.count, "recording")) can't state how certain that is; "
          + "measure more.")
    }
    if answer.recommended != nil { lines += passedOver(answer) + registers(answer) }
    return lines.joined(separator: "\n")
  }

  private static func headline(_ point: TuneAnswer.Point, _ answer: TuneAnswer) -> String {
    let name = name(point, answer)
    if answer.recommended != nil {
      return name.isEmpty ? "The plan has one setting only:" : "Recommended: \(name)"
    }
    if point.fits {
      return "No one setting serves every register: each loses voices that another keeps. See the "
        + "recommendation by register.\nNearest: \(name), which loses "
        + "\(list(point.losses.map(\.words)))."
    }
    let misses = answer.misses.sorted { $0.key < $1.key }.map { name, over in
      "\(name) by \(format(over, 2)) \(unit(name, answer))".trimmed
    }
    return "No setting fits the budgets. Nearest: \(name), which "
      + (misses.isEmpty
        ? "has no value to compare with them" : "misses " + misses.joined(separator: ", "))
      + "."
  }

  /// The setting with fewer steps that loses voices.
  private static func passedOver(_ answer: TuneAnswer) -> [String] {
    answer.passedOver.map { point in
      [
        "  Passed over: \(name(point, answer)), with \(format(point.distance, 1)) steps in total, loses "
          + "\(list(point.losses.map(\.words)))."
      ]
    } ?? []
  }

  /// Registers that would be better off with another setting.
  private static func registers(_ answer: TuneAnswer) -> [String] {
    answer.groups.filter { $0.by == "register" && $0.chosen != answer.best }.compactMap { group in
      group.chosen.map {
        "  For \(group.name) voices alone, \(name(answer.points[$0], answer)) is better."
      }
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names.last!)"
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
    let paid = answer.axes.filter { !$0.axis.isHeard }
    var header = settingHeader(answer) + (hasFaults(answer) ? ["audible"] : [])
    for axis in paid {
      header.append("\(axis.axis.rawValue) \(axis.unit)".trimmed)
      if axis.axis == .latency { header.append("by law") }
    }
    let hasImpulses = answer.points.contains { $0.impulseLatencyMs != nil }
    header += (hasImpulses ? ["impulses ms", "by law"] : []) + ["total", "front", "chosen", ""]
    var table = TextTable(header: header)
    let (names, marksSubjects) = (settingNames(answer), hasSubjects(answer))
    for index in order(answer) {
      let point = answer.points[index]
      var row = settingCells(index, answer, names, marksSubjects)
      if hasFaults(answer) { row.append(format(point.faults, 1)) }
      for axis in paid {
        row.append(point.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–")
        if axis.axis == .latency { row.append(format(point.predictedLatencyMs, 1)) }
      }
      if hasImpulses {
        row += [format(point.impulseLatencyMs, 1), format(point.predictedImpulseLatencyMs, 1)]
      }
      row += [
        format(point.distance, 1), point.frontShare.map(percent) ?? "–",
        point.chosenShare.map(percent) ?? "–",
        point.losses.isEmpty ? "" : "loses \(list(point.losses.map(\.words)))",
      ]
      table.rows.append(row)
    }
    return table.text()
  }

  /// Every fault of every setting, and what is heard first.
  private static func faults(_ answer: TuneAnswer) -> String {
    guard hasFaults(answer) else { return "" }
    let heard = answer.axes.filter(\.axis.isHeard)
    var table = TextTable(
      header: settingHeader(answer) + heard.map { "\($0.axis.rawValue) \($0.unit)".trimmed }
        + ["heard first"])
    let (names, marksSubjects) = (settingNames(answer), hasSubjects(answer))
    for index in order(answer) {
      let point = answer.points[index]
      let figures = heard.map { axis in
        point.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–"
      }
      table.rows.append(
        settingCells(index, answer, names, marksSubjects) + figures
          + [point.heard.first?.sentence ?? "nothing"])
    }
    return "What is heard, in the worst voice of the worst register\n\n" + table.text()
  }

  private static func hasFaults(_ answer: TuneAnswer) -> Bool {
    answer.axes.contains(where: \.axis.isHeard)
  }

  private static func settingHeader(_ answer: TuneAnswer) -> [String] {
    [" "] + (hasSubjects(answer) ? ["subject"] : []) + settingNames(answer)
  }

  /// - Parameters:
  ///   - names: names of the settings to show, which take a pass over all points to find.
  ///   - marksSubjects: true for a cell with the subject.
  private static func settingCells(
    _ index: Int, _ answer: TuneAnswer, _ names: [String], _ marksSubjects: Bool
  ) -> [String] {
    let point = answer.points[index]
    return [mark(index, answer)] + (marksSubjects ? [point.subject] : [])
      + names.map { point.settings[$0]?.description ?? "–" }
  }

  private static func legend(_ answer: TuneAnswer) -> String {
    let scales = answer.axes.filter(\.isWeighed).map { axis -> String in
      let amount = [short(axis.scale), axis.unit].filter { !$0.isEmpty }.joined(separator: " ")
      return "\(amount) of \(axis.axis.rawValue)"
    }
    let metrics = answer.axes.map { axis in "\(axis.axis.rawValue) \(axis.metric)" }
    var lines = [
      "→ recommended, ~ nearest miss, * on the front (not dominated), × over budget, ↓ dropped early; "
        + "– undefined. Figures cover \(percent(answer.served)) of the recordings of each register "
        + "(of fewer than ten: all); latency and cost are medians of the worst register, [95 %] from "
        + "\(counted(answer.draws, "draw")) of \(counted(answer.recordings.count, "recording")).",
      "audible: steps of all faults, log2(1 + figure / threshold) each; total: with latency and cost. "
        + "One step is \(scales.joined(separator: " = ")). \(answer.weightWords) "
        + "See docs/reference/audibility.md. front, chosen: share of draws.",
      "Measured by: " + metrics.joined(separator: ", ") + ".",
    ]
    if !answer.unkept.isEmpty {
      lines.append(
        "Every setting loses a voice in more than \(short(answer.lostLimitPercent)) % of the frames "
          + "of \(list(answer.unkept)); there the limit can't choose.")
    }
    for left in answer.leftOut {
      let name = ([left.subject] + left.settings.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
        .joined(separator: " ")
      lines.append("Not compared: \(name), which \(left.reason).")
    }
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
    let paid = answer.axes.filter { !$0.axis.isHeard }
    var table = TextTable(
      header: ["group", "recordings", "recommended"]
        + paid.map { "\($0.axis.rawValue) \($0.unit)".trimmed }
        + TuneAxis.shownByGroup.map { "\($0.rawValue) \($0.unit)" } + ["chosen", ""])
    for group in answer.groups {
      let notes = [
        group.chosen != nil && !group.fits ? "over budget" : nil,
        group.losses.isEmpty ? nil : "loses \(list(group.losses.map(\.words)))",
        group.unkept.isEmpty ? nil : "all lose voices of \(list(group.unkept))", group.note,
      ].compactMap(\.self)
      let choice = group.chosen.map { name(answer.points[$0], answer) } ?? "–"
      var row = ["\(group.by) \(group.name)", "\(group.recordings.count)", choice]
      for axis in paid {
        row.append(group.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–")
      }
      row += TuneAxis.shownByGroup.map { format(group.figures[$0.rawValue]?.value, 1) }
      row += [group.chosenShare.map(percent) ?? "–", notes.joined(separator: "; ")]
      table.rows.append(row)
    }
    return "By register and kind of voice\n\n" + table.text()
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
