import Probes
import Statistics
import Subjects
import Sweep
import Tuning

/// The voices of the recommended setting: pitch over target, errors, and frames within a tolerance.
struct VoicesSection {
  let facts: RunFacts

  func section() throws -> Section? {
    let summaries = facts.cleanSummaries
    guard let choice = facts.choice,
      summaries.contains(where: { $0.voices.contains { $0.errorCents != nil } })
    else { return nil }
    let name = facts.text(choice)
    let drawings = try [faults(), worst.flatMap(lanes), chords(), histogram()]
      .compactMap(\.self)
    return Section(
      id: "voices", title: "Each voice",
      intro: (name.isEmpty ? "" : "At the recommended setting, \(name). ")
        + "In the clean condition.",
      drawings: drawings,
      tables: [table(summaries)])
  }

  /// The faults of the only setting, the gravest first; of several settings the picture of
  /// trade-offs tells it.
  private func faults() -> Drawing? {
    guard facts.recommendation.settingCount == 1, let point = facts.recommendation.point else {
      return nil
    }
    let figures = TuneAxis.allCases.filter(\.isAudible).compactMap { axis in
      point.figures[axis.rawValue].flatMap { $0.isAssumed ? nil : (axis, $0) }
    }.sorted { $0.1.units > $1.1.units }
    let groups = figures.map { axis, figure in
      let amount = "\(NumberStyle.significant(2).text(figure.value)) \(axis.unit)"
      let place = [figure.voice, figure.recording].compactMap(\.self).joined(separator: ", ")
      return DotPlot.Group(
        name: "\(axis.title): \(amount)",
        lines: [DotPlot.Line(name: place, amount: Amount(figure.units))])
    }
    guard !groups.isEmpty else { return nil }
    return Drawing(
      id: "faults", title: "What is heard",
      shows: "Each fault beside the smallest that listeners notice, in the voice and the recording "
        + "where it is worst. Right of the dotted line it is heard.",
      omits: "latency and cost.", command: facts.command,
      plot: DotPlot(
        x: Axis("times just noticeable", unit: "", including: [0, 1]), groupTitle: "fault",
        lineTitle: "worst in", groups: groups, mark: 1))
  }

  /// The recording with the largest error among those whose pitch was kept.
  private var worst: CellResult? {
    facts.chosenCells.filter { $0.condition == "clean" && facts.isListenedTo($0) }.max {
      ($0.worst("pitch.abs_error.p95") ?? 0) < ($1.worst("pitch.abs_error.p95") ?? 0)
    }
  }

  /// The chord grid of the same recording.
  private func chords() throws -> Drawing? {
    guard let cell = worst else { return nil }
    let traces = try facts.store.traces(of: cell.key)
    let labels = cell.score.voiceLabels
    let isSung = try facts.store.leadVoicing(of: cell)
    let grid = ChordGrid(traces, isSung: isSung)
    guard traces.map(\.voice) == Array(labels.indices), !grid.columns.isEmpty else { return nil }
    return Drawing(
      id: "chords-\(ReportFiles.slug(ofRecording: cell.recording))", title: "Chord by chord",
      shows: "The error of each voice in each chord, median over the chord: ‘\(cell.recording)’.",
      omits: "changes within a chord, which the lanes above show"
        + (isSung == nil ? "; ghosts, because the input was not kept." : "."),
      command: facts.command, plot: ChordPlot(grid, voices: labels))
  }

  /// Pitch lanes of a recording.
  func lanes(_ cell: CellResult) throws -> Drawing? {
    let labels = cell.score.voiceLabels
    // A damaged store may hold voices that the score lacks.
    let known = try facts.store.traces(of: cell.key).filter { labels.indices.contains($0.voice) }
    let voices = known.prefix(PlotPalette.series.count).map {
      LanePlot.Voice(name: labels[$0.voice], frames: $0.frames)
    }
    let drawn = voices.contains { $0.frames.contains { $0.targetHz != nil } }
    guard drawn else { return nil }
    return Drawing(
      id: "lanes-\(ReportFiles.slug(ofRecording: cell.recording))",
      title: "Pitch of each voice over its target",
      shows: "Where each voice leaves its target, in ‘\(cell.recording)’.",
      omits: "loudness and timbre; frames in which the lead is silent.", command: facts.command,
      plot: LanePlot(voices: Array(voices)))
  }

  /// Histogram of the errors of all kept frames, in bins of 5 cents.
  private func histogram() throws -> Drawing? {
    var errors: [Int: [Double]] = [:]
    var labels: [String] = []
    for cell in facts.chosenCells
    where cell.condition == "clean" && facts.isListenedTo(cell) {
      if labels.isEmpty { labels = cell.score.voiceLabels }
      guard cell.score.voiceLabels == labels else { continue }
      for trace in try facts.store.traces(of: cell.key) {
        errors[trace.voice, default: []] += trace.frames.compactMap(\.errorCents)
      }
    }
    let drawn = labels.indices.prefix(PlotPalette.series.count).filter {
      errors[$0]?.count ?? 0 >= 100
    }
    guard !drawn.isEmpty else { return nil }
    let series = drawn.map { voice -> CurvePlot.Series in
      let found = errors[voice]!
      return CurvePlot.Series(
        labels[voice],
        points: stride(from: -50.0, through: 50, by: 5).map { middle in
          let inside = found.count { $0 >= middle - 2.5 && $0 < middle + 2.5 }
          return .init(middle, Amount(100 * Double(inside) / Double(found.count)))
        }, isJoined: true)
    }
    return Drawing(
      id: "histogram", title: "Distribution of errors",
      shows: "A peak beside zero is a voice that is steadily sharp or flat; a broad peak is an "
        + "unsteady voice.",
      omits: "errors beyond 50 cents, and recordings whose pitch was not kept.",
      command: facts.command,
      plot: CurvePlot(
        x: Axis("error, up is sharp", unit: "cents"),
        y: Axis("frames in 5 cents", unit: "%", including: [0]), seriesTitle: "voice",
        series: series))
  }

  private static let columns: [(metric: String, title: String, unit: String, style: NumberStyle)] =
    [
      ("pitch.abs_error", "error", "cents", .decimals(1)),
      ("pitch.abs_error.p95", "p95", "cents", .decimals(0)),
      ("pitch.judge_error.median", "second judge", "cents", .decimals(1)),
      ("pitch.bias", "sharp by", "cents", .decimals(1)),
      ("pitch.within_25", "within 25 cents", "%", .decimals(0)),
      ("pitch.octave_errors", "octave errors", "%", .decimals(1)),
      ("voice.missing", "missing", "%", .decimals(1)),
      ("voice.swapped", "swapped", "%", .decimals(1)),
      ("voice.ghost", "ghost", "%", .decimals(1)),
    ]

  private func table(_ summaries: [SettingSummary]) -> Table {
    let recalls = summaries.compactMap { summary -> String? in
      let cells = facts.chosenCells.filter {
        $0.condition == "clean" && $0.score.id == summary.score.id
      }
      return Statistics.median(cells.compactMap { $0.value("chord.recall") }).map {
        "‘\(summary.score.id)’ \(NumberStyle.decimals(0).text($0 * 100)) %"
      }
    }
    var table = Self.table("voices-table", of: summaries, [.text("score", "score", \.score.id)])
    if !recalls.isEmpty {
      table.note? += " Notes of the chord found in the mix: \(recalls.joined(separator: ", "))."
    }
    table.isInSummary = true
    return table
  }

  /// Returns a table of each voice under each setting.
  ///
  /// - Parameter first: the columns before the voice.
  static func table(
    _ id: String, of summaries: [SettingSummary], _ first: [Table.Field<SettingSummary>]
  ) -> Table {
    func end(
      _ name: String, _ title: String, _ end: @escaping (ClosedRange<Double>) -> Double
    ) -> Table.Field<FamilyTables.Row> {
      .number(
        name, title, unit: "cents", style: .decimals(1), otherwise: "fewer than six recordings"
      ) { $0.voice.errorCents?.interval.map(end) }
    }
    var fields: [Table.Field<FamilyTables.Row>] = columns.map { column in
      .titled(
        column.title, unit: column.unit, style: column.style,
        otherwise: "no recording on which it is defined"
      ) { row in
        row.voice.figures[column.metric].map { column.unit == "%" ? $0.value * 100 : $0.value }
      }
    }
    fields.insert(
      contentsOf: [
        end("low_cents", "from", \.lowerBound), end("high_cents", "to", \.upperBound),
      ], at: 1)
    fields =
      first.map { $0.of(\.summary) } + [.text("voice", "voice") { $0.voice.label }] + fields
      + [.count("recordings") { $0.voice.errorCents?.count ?? 0 }]
    return Table(
      id: id, title: "Each voice in numbers", of: FamilyTables.rows(of: summaries), fields,
      note: "Medians over recordings; from and to: 95 % interval of the median error. Missing, "
        + "swapped, ghost: frames in which a voice is not heard, sings another voice's note, or "
        + "sounds during a rest.")
  }
}

extension VoiceTrace {
  /// The trace as frames of a figure.
  var frames: [LanePlot.Frame] {
    zip(targetHz, measuredHz).enumerated().map { index, pair in
      LanePlot.Frame(
        timeS: Double(index) * hopSeconds, targetHz: pair.0 > 0 ? Double(pair.0) : nil,
        measuredHz: pair.1 > 0 ? Double(pair.1) : nil)
    }
  }
}
