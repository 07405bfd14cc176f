import Analyzer
import Evaluation
import Harmonizer

/// The settings that were tried, against each other and against the law of the engine.
struct SweepSection {
  let summaries: [SettingSummary]
  /// Of the settings, in the order of the plan.
  let names: [String]
  let command: String

  /// One for each score and condition, in the order of the plan.
  func sections() -> [Section] {
    var groups: [(score: Score, condition: String)] = []
    for summary in summaries
    where !groups.contains(where: { $0.score == summary.score && $0.condition == summary.condition }
    ) {
      groups.append((summary.score, summary.condition))
    }
    return groups.enumerated().map { index, group in
      let rows = summaries.filter {
        $0.score == group.score && $0.condition == group.condition
      }
      let suffix = index == 0 ? "" : "-\(index + 1)"
      let through = group.condition == "clean" ? "" : ", heard through \(group.condition)"
      let voices = group.score.voiceLabels.joined(separator: ", ")
      return Section(
        id: "sweep\(suffix)",
        title: groups.count == 1 ? "The sweep" : "The sweep: \(group.score.id)\(through)",
        intro: (group.score.title.map { "\($0). " } ?? "")
          + "Score ‘\(group.score.id)’\(through): \(voices).",
        figures: [errorMap(rows, suffix), latency(rows, suffix)].compactMap { $0 },
        tables: [table(rows, group.score, suffix), judges(rows, group.score, suffix)]
          + FamilyTables(settingColumns: settingColumns, settingCells: settingCells)
          .tables(rows, suffix))
    }
  }

  private func values(_ rows: [SettingSummary], _ name: String) -> [Double] {
    Array(Set(rows.compactMap { $0.settings[name]?.number })).sorted()
  }

  private func row(_ rows: [SettingSummary], _ window: Double, _ fade: Double) -> SettingSummary? {
    rows.first {
      $0.settings["windowMs"]?.number == window && $0.settings["crossfadeMs"]?.number == fade
    }
  }

  private func errorMap(_ rows: [SettingSummary], _ suffix: String) -> Figure? {
    let (windows, fades) = (values(rows, "windowMs"), values(rows, "crossfadeMs"))
    guard windows.count > 1, fades.count > 1, rows.contains(where: { $0.errorCents != nil }) else {
      return nil
    }
    return Figure(
      id: "pitch-error\(suffix)", title: "Pitch error over window and crossfade",
      shows: "The setting that is most in tune; long windows follow a moving voice too late.",
      omits: "how voices differ, which the table below does; blank cells were not planned.",
      command: command,
      drawing: .heatMap(
        HeatMapFigure(
          x: Axis("window", unit: "ms"), y: Axis("crossfade", unit: "ms"),
          valueTitle: "median pitch error, mean of voices", valueUnit: "cents",
          style: .decimals(1), xs: windows, ys: fades,
          values: fades.map { fade in
            windows.map { window in
              row(rows, window, fade).map {
                Amount($0.errorCents, otherwise: "a voice has no pitch to compare")
              }
            }
          })))
  }

  private func latency(_ rows: [SettingSummary], _ suffix: String) -> Figure? {
    let (windows, fades) = (values(rows, "windowMs"), values(rows, "crossfadeMs"))
    guard windows.count > 1, !fades.isEmpty, fades.count <= 8,
      rows.contains(where: { $0.latencyMs != nil })
    else { return nil }
    let series = fades.map { fade -> CurveFigure.Series in
      let found = windows.compactMap { row(rows, $0, fade) }
      return CurveFigure.Series(
        "\(SettingValue.number(fade)) ms",
        points: found.map { summary in
          CurveFigure.Point(
            summary.settings["windowMs"]!.number!,
            Amount(summary.latencyMs, otherwise: "no impulse probe"),
            interval: summary.latencyRangeMs.flatMap {
              Bounds($0.lowerBound, $0.upperBound, meaning: "5 to 95 % of single impulses")
            })
        }, law: law(fade, over: found.compactMap { $0.settings["windowMs"]?.number }))
    }
    return Figure(
      id: "latency\(suffix)", title: "Latency against its law",
      shows: "Points on their lines: the mean delay is half of window and crossfade. The bars are "
        + "the range of single impulses, for the delay sweeps.",
      omits: "the time that an audio device adds.", command: command,
      drawing: .curve(
        CurveFigure(
          x: Axis("window", unit: "ms", scale: .logarithmic),
          y: Axis("latency", unit: "ms", including: [0]), seriesTitle: "crossfade",
          series: series, law: "(window + crossfade) / 2")))
  }

  private func law(_ fade: Double, over windows: [Double]) -> [CurveFigure.Point] {
    guard let low = windows.min(), let high = windows.max(), low < high else { return [] }
    return (0...24).map { step in
      let window = low + (high - low) * Double(step) / 24
      let engine = DelayLineShifter.Settings(windowMs: window, crossfadeMs: fade)
      let law = DelayLineLaw(shiftSemitones: 0, settings: engine, sampleRateHz: 48_000)
      return CurveFigure.Point(window, Amount(law.meanDelayMs))
    }
  }

  private func settingCells(_ row: SettingSummary) -> [Table.Cell] {
    names.map { name in
      row.choice(of: name).map { value in
        value.number.map { .amount(Amount($0)) } ?? .text(value.description)
      } ?? .text("")
    }
  }

  private var settingColumns: [Table.Column] {
    names.map { .number(snake($0), words($0), style: .setting) }
  }

  private func table(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    let voices = score.voiceLabels
    let columns =
      settingColumns
      + voices.enumerated().flatMap { index, voice -> [Table.Column] in
        [
          .number(
            "voice\(index + 1)_median_cents", "\(voice) median", unit: "cents",
            style: .decimals(1)),
          .number("voice\(index + 1)_p95_cents", "p95", unit: "cents", style: .decimals(0)),
          .number("voice\(index + 1)_formant_ratio", "formants", style: .decimals(2)),
        ]
      } + [
        .number("latency_ms", "latency", unit: "ms", style: .decimals(1)),
        .number("onset_ms", "of onsets", unit: "ms", style: .decimals(1)),
        .number("predicted_ms", "by law", unit: "ms", style: .decimals(1)),
        .number("realtime_factor", "real-time factor", style: .significant(2)),
      ]
    let cells = rows.map { row -> [Table.Cell] in
      settingCells(row)
        + row.voices.flatMap { voice -> [Table.Cell] in
          [
            .amount(Amount(voice.errorMedianCents?.value, otherwise: "no voiced frames")),
            .amount(Amount(voice.errorP95Cents?.value, otherwise: "no voiced frames")),
            .amount(
              Amount(voice.formantRatio?.value, otherwise: "no voice low enough for formants")),
          ]
        } + [
          .amount(Amount(row.latencyMs, otherwise: "no impulse probe")),
          .amount(Amount(row.onsetLatencyMs?.value, otherwise: "no sound with clear onsets")),
          .amount(Amount(row.predictedLatencyMs, otherwise: "no law for these settings")),
          .amount(Amount(row.realtimeFactor?.value)),
        ]
    }
    return Table(
      id: "settings\(suffix)", title: "Every setting, voice by voice", columns: columns,
      rows: cells, note: "Medians over recordings.")
  }

  private func judges(_ rows: [SettingSummary], _ score: Score, _ suffix: String) -> Table {
    let columns =
      settingColumns + [.text("voice", "voice")]
      + [
        .number("tracker_cents", "tracker", unit: "cents", style: .decimals(1)),
        .number("tracker_low_cents", "from", unit: "cents", style: .decimals(1)),
        .number("tracker_high_cents", "to", unit: "cents", style: .decimals(1)),
        .number("judge_cents", "second judge", unit: "cents", style: .decimals(1)),
        .number("within_25_percent", "within 25 cents", unit: "%", style: .decimals(0)),
        .number("gross_percent", "gross errors", unit: "%", style: .decimals(1)),
        .number("missing_percent", "not heard", unit: "%", style: .decimals(1)),
        .number("estoi", "ESTOI", style: .decimals(2)),
        .number("recordings", "recordings", style: .decimals(0)),
      ]
    let cells = rows.flatMap { row in
      row.voices.map { voice -> [Table.Cell] in
        let none = "fewer than three recordings"
        let error = voice.errorMedianCents
        return settingCells(row) + [
          .text(voice.label),
          .amount(Amount(error?.value, otherwise: "no voiced frames")),
          .amount(Amount(error?.interval?.lowerBound, otherwise: none)),
          .amount(Amount(error?.interval?.upperBound, otherwise: none)),
          .amount(Amount(voice.judgeErrorMedianCents?.value, otherwise: "no voiced frames")),
          .amount(Amount(voice.within25.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.grossErrors.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.missing.map { $0.value * 100 }, otherwise: "no voiced frames")),
          .amount(Amount(voice.estoi?.value, otherwise: "no recording with an oracle")),
          .amount(Amount(Double(error?.count ?? 0))),
        ]
      }
    }
    return Table(
      id: "judges\(suffix)", title: "Each voice by both judges", columns: columns, rows: cells,
      note: "From and to: 95 % bootstrap interval of the tracker's median over recordings.")
  }

  private func words(_ name: String) -> String { name.replacing("Ms", with: " ms") }

  private func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
