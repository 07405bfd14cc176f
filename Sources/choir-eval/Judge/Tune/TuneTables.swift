import CommandSupport
import Platform
import Tuning

/// The tables of the answer: registers, settings and faults, with what their signs mean.
extension TuneText {
  static func points(_ answer: TuneAnswer) -> String {
    let paid = answer.axes.filter { !$0.axis.isAudible }
    var header = settingHeader(answer) + (hasFaults(answer) ? ["audible"] : [])
    header += paid.map { "\($0.axis.rawValue) \($0.unit)".trimmed }
    let hasImpulses = answer.points.contains { $0.impulseLatencyMs != nil }
    header += (hasImpulses ? ["impulses ms"] : []) + ["total", "front", "chosen", ""]
    var table = TextTable(header: header)
    let (names, marksSubjects) = (settingNames(answer), hasSubjects(answer))
    for index in order(answer) {
      let point = answer.points[index]
      var row = settingCells(index, answer, names, marksSubjects)
      if hasFaults(answer) { row.append(format(point.faults, 1)) }
      for axis in paid {
        row.append(point.figures[axis.axis.rawValue].map { text($0, axis, unit: false) } ?? "–")
      }
      if hasImpulses { row.append(format(point.impulseLatencyMs, 1)) }
      row += [
        format(point.distance, 1), point.frontShare.map(percent) ?? "–",
        point.chosenShare.map(percent) ?? "–",
        point.losses.isEmpty ? "" : "loses \(listed(point.losses.map(\.words)))",
      ]
      table.rows.append(row)
    }
    return table.text()
  }

  /// Every fault of every setting, and what is heard first.
  static func faults(_ answer: TuneAnswer) -> String {
    guard hasFaults(answer) else { return "" }
    let heard = answer.axes.filter(\.axis.isAudible)
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
          + [answer.heardFirst(of: point, orElse: "nothing")])
    }
    return "What is heard, in the worst voice of the worst register\n\n" + table.text()
  }

  private static func hasFaults(_ answer: TuneAnswer) -> Bool {
    answer.axes.contains(where: \.axis.isAudible)
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

  static func legend(_ answer: TuneAnswer) -> String {
    let scales = answer.axes.filter(\.isWeighed).map { axis -> String in
      let amount = [short(axis.scale), axis.unit].filter { !$0.isEmpty }.joined(separator: " ")
      return "\(amount) of \(axis.axis.rawValue)"
    }
    let metrics = answer.axes.map { axis in "\(axis.axis.rawValue) \(axis.metric)" }
    return [
      "→ recommended, ~ nearest miss, * on the front (not dominated), × over budget, ↓ dropped early; "
        + "– undefined, (…) assumed: not measured there, so ranked as the worst of the other settings. "
        + "Figures cover \(percent(answer.served)) of the recordings of each register "
        + "(of fewer than ten: all); latency and cost are medians of the worst register, [95 %] from "
        + "\(counted(answer.draws, "draw")) of \(counted(answer.recordings.count, "recording")).",
      "audible: steps of all faults, log2(1 + figure / threshold) each, in the mean over a register's recordings; "
        + "total: with latency and cost. The worst register counts. "
        + "One step is \(scales.joined(separator: " = ")). \(TuneAnswer.weightWords) "
        + "See docs/reference/metrics.md#audibility. front, chosen: share of draws.",
      "Measured by: " + metrics.joined(separator: ", ") + ".",
    ].joined(separator: "\n")
  }

  /// Remarks on the settings besides the verdict.
  static func remarks(_ answer: TuneAnswer) -> [String] {
    var lines: [String] = []
    if !answer.unkept.isEmpty {
      lines.append(
        "Every setting loses a voice in more than \(short(answer.lostLimitPercent)) % of the frames "
          + "of \(listed(answer.unkept)); there the limit can't choose.")
    }
    for equal in answer.equalSettings {
      lines.append(
        "One setting, because every figure of their sounds is equal to the last bit: "
          + listed(equal.map { name($0, answer) }) + ".")
    }
    lines += reasons(answer)
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
    return lines
  }

  /// Why settings or axes have no place in the answer.
  static func reasons(_ answer: TuneAnswer) -> [String] {
    var lines: [String] = []
    for left in answer.leftOut {
      let name = ([left.subject] + left.settings.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
        .joined(separator: " ")
      lines.append("Not compared: \(name), which \(left.reason).")
    }
    lines += answer.failedWords.map { [$0] } ?? []
    for (axis, reason) in answer.undefinedAxes.sorted(by: { $0.key < $1.key }) {
      lines.append("\(axis) is undefined: \(reason).")
    }
    return lines
  }

  static func groups(_ answer: TuneAnswer) -> String {
    guard !answer.groups.isEmpty else { return "" }
    let paid = answer.axes.filter { !$0.axis.isAudible }
    var table = TextTable(
      header: ["group", "recordings", "recommended"]
        + paid.map { "\($0.axis.rawValue) \($0.unit)".trimmed }
        + TuneAxis.shownByGroup.map { "\($0.rawValue) \($0.unit)" } + ["chosen", ""])
    for group in answer.groups {
      let notes = [
        group.chosen != nil && !group.fits ? "over budget" : nil,
        group.losses.isEmpty ? nil : "loses \(listed(group.losses.map(\.words)))",
        group.unkept.isEmpty ? nil : "all lose voices of \(listed(group.unkept))", group.note,
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
}
