import Corpus
import Statistics
import Subjects
import Sweep
import Tuning

/// The effect of two settings together: maps over both, and laws of the engines that have one.
struct SweepSection {
  let facts: RunFacts
  /// Clips that let settings be heard.
  let heard: [Clip]

  /// Maximum number of readable cells in a row of a map.
  private static let maxPlaces = 12

  func section() throws -> Section? {
    guard let first = facts.summaries.first else { return nil }
    let rows = facts.summaries.filter {
      $0.score == first.score && $0.condition == first.condition && $0.subject == first.subject
    }
    let axes = facts.varied.filter { values(rows, $0).count > 1 }
    let isMap =
      axes.count > 1 && axes.prefix(2).allSatisfy { values(rows, $0).count <= Self.maxPlaces }
    let measured =
      isMap
      ? try maps(rows, axes[0], axes[1])
      : axes.prefix(1).compactMap { curve(recommended(rows, besides: [$0]), $0) }
    let drawings =
      try measured + [latency(rows)].compactMap(\.self) + LawPlots(facts: facts).drawings()
    guard !drawings.isEmpty else { return nil }
    let others = axes.dropFirst(2).map { "\($0) \(facts.choice?.settings[$0]?.description ?? "")" }
    return Section(
      id: "sweep", title: "Sweep",
      intro: "Score ‘\(first.score.id)’, condition \(first.condition)"
        + (others.isEmpty ? "" : ", at \(others.joined(separator: ", "))")
        + ". Medians over recordings, means over voices.", drawings: drawings)
  }

  private func values(_ rows: [SettingSummary], _ name: String) -> [Double] {
    Array(Set(rows.compactMap { $0.settings[name]?.number })).sorted()
  }

  private func axis(_ name: String, scale: Axis.Scale = .linear) -> Axis {
    let units = ["Ms": "ms", "Hz": "Hz", "Db": "dB", "Cents": "cents", "Semitones": "semitones"]
    for (suffix, unit) in units where name.hasSuffix(suffix) {
      return Axis(String(name.dropLast(suffix.count)), unit: unit, scale: scale)
    }
    return Axis(name, unit: "", scale: scale)
  }

  /// Returns the rows in which the settings that a drawing does not show have their recommended values.
  private func recommended(_ rows: [SettingSummary], besides shown: [String]) -> [SettingSummary] {
    let fixed = facts.varied.filter { !shown.contains($0) && $0 != SettingSummary.subjectAxis }
    return rows.filter { row in
      fixed.allSatisfy { name in
        row.settings[name] == nil || row.settings[name] == facts.choice?.settings[name]
      }
    }
  }

  // MARK: Maps

  private func maps(_ rows: [SettingSummary], _ x: String, _ y: String) throws -> [Drawing] {
    let shown = recommended(rows, besides: [x, y])
    let keys = Set(shown.map { SettingChoice($0) })
    let cells = facts.run.cells.filter {
      $0.score == rows[0].score && $0.condition == rows[0].condition
        && keys.contains(SettingChoice($0))
    }
    let detailed = try facts.detailed(cells)
    func overVoices(_ row: SettingSummary, _ metric: String) -> Double? {
      Statistics.mean(row.voices.compactMap { $0.figures[metric]?.value })
    }
    return [
      map(
        detailed, x, y, "pitch-error", "Pitch error", "median pitch error", "cents", .decimals(1),
        shows: "The palest setting is the most in tune.", \.errorCents),
      map(
        detailed, x, y, "tremolo", "Tremolo", "depth of the tremolo", "dB", .decimals(1),
        shows: "The depth at which the level swings, at the rate that the engine's law predicts."
      ) { overVoices($0, "tremolo.depth") },
      map(
        detailed, x, y, "formants", "Formants", "ratio of formants, 1 is kept", "", .decimals(2),
        shows: "The shift of formants along with the pitch; 1 keeps them."
      ) { overVoices($0, "formant.ratio") },
    ].compactMap(\.self)
  }

  private func map(
    _ rows: [SettingSummary], _ x: String, _ y: String, _ id: String, _ title: String,
    _ value: String, _ unit: String, _ style: NumberStyle, shows: String,
    _ figure: (SettingSummary) -> Double?
  ) -> Drawing? {
    let (xs, ys) = (values(rows, x), values(rows, y))
    let known = rows.compactMap(figure)
    // A map of one colour shows nothing.
    guard let low = known.min(), let high = known.max(), style.text(low) != style.text(high),
      xs.count > 1, ys.count > 1
    else { return nil }
    return Drawing(
      id: id, title: "\(title) over \(axis(x).title) and \(axis(y).title)",
      shows: shows + (heard.isEmpty ? "" : " Press a number to hear the setting."),
      omits: "differences between voices; the plan leaves out blank places.",
      command: facts.command,
      plot: HeatMapPlot(
        x: axis(x), y: axis(y), valueTitle: value, valueUnit: unit, style: style, xs: xs, ys: ys,
        values: ys.map { yValue in
          xs.map { xValue in
            row(rows, (x, xValue), (y, yValue)).map {
              Amount(figure($0), otherwise: "no recording on which it is defined")
            }
          }
        },
        audioLinks: ys.map { yValue in
          xs.map { xValue in row(rows, (x, xValue), (y, yValue)).flatMap(audioLink) }
        }))
  }

  private func row(
    _ rows: [SettingSummary], _ x: (String, Double), _ y: (String, Double)
  ) -> SettingSummary? {
    rows.first { row in [x, y].allSatisfy { row.settings[$0.0]?.number == $0.1 } }
  }

  /// Link to the first clip that has a setting.
  private func audioLink(_ row: SettingSummary) -> AudioLink? {
    facts.run.cells.lazy
      .filter {
        SettingChoice($0) == SettingChoice(row) && $0.score == row.score
          && $0.condition == row.condition && facts.isListenedTo($0)
      }
      .compactMap { cell in
        let path = facts.store.soundFile(of: cell.key)?.path
        return heard.lazy.compactMap { $0.audioLink(of: path) }.first
      }.first
  }

  // MARK: Curves

  /// Pitch error over one setting.
  private func curve(_ rows: [SettingSummary], _ x: String) -> Drawing? {
    guard let labels = rows.first?.score.voiceLabels else { return nil }
    let series = labels.prefix(PlotPalette.series.count).enumerated().map { voice, label in
      CurvePlot.Series(
        label,
        points: rows.compactMap { row in
          row.settings[x]?.number.map { place in
            let error = row.voices[voice].errorCents
            return .init(
              place, Amount(error?.value, otherwise: "no voiced frames"),
              interval: rows.count <= Self.maxPlaces ? error?.bounds : nil)
          }
        }.sorted { $0.x < $1.x }, isJoined: true)
    }
    guard series.contains(where: { $0.points.contains { $0.y.value != nil } }) else { return nil }
    return Drawing(
      id: "pitch-error", title: "Pitch error over \(axis(x).title)",
      shows: "The median error of each voice; bars are 95 % intervals.",
      omits: "single recordings, which have pages of their own.", command: facts.command,
      plot: CurvePlot(
        x: axis(x, scale: (values(rows, x).first ?? 0) > 0 ? .logarithmic : .linear),
        y: Axis("pitch error", unit: "cents", including: [0]), seriesTitle: "voice",
        series: series))
  }

  /// Latency of single impulses against the law of the delay line.
  private func latency(_ all: [SettingSummary]) -> Drawing? {
    let rows = all.filter { Self.law(of: $0)?.isOfDelayLine ?? false }
    let (windows, fades) = (values(rows, "windowMs"), values(rows, "crossfadeMs"))
    guard windows.count > 1, !fades.isEmpty, fades.count <= PlotPalette.series.count,
      rows.contains(where: { $0.latencyMs != nil && $0.predictedLatencyMs != nil })
    else { return nil }
    let series = fades.map { fade -> CurvePlot.Series in
      let found = windows.compactMap { window in
        rows.first {
          $0.settings["windowMs"]?.number == window && $0.settings["crossfadeMs"]?.number == fade
        }
      }
      return CurvePlot.Series(
        "\(SettingValue.number(fade)) ms",
        points: found.map { summary in
          CurvePlot.Point(
            summary.settings["windowMs"]!.number!,
            Amount(summary.latencyMs, otherwise: "no impulse probe"),
            interval: Bounds(summary.latencyRangeMs, meaning: "5 to 95 % of single impulses"))
        },
        law: found.first.map {
          law($0, over: found.compactMap { $0.settings["windowMs"]?.number })
        } ?? [])
    }
    let farthest = rows.compactMap { row in
      row.latencyMs.flatMap { measured in row.predictedLatencyMs.map { abs(measured - $0) } }
    }.max()
    let off = farthest.map {
      " The largest deviation from the law is \(NumberStyle.decimals(2).text($0)) ms."
    }
    return Drawing(
      id: "latency", title: "Latency against its law",
      shows: "The points should lie on their lines: the mean delay is half the sum of window and "
        + "crossfade. Bars are the range of single impulses, because the delay sweeps."
        + (off ?? ""),
      omits: "the time that an audio device adds.", command: facts.command,
      plot: CurvePlot(
        x: Axis("window", unit: "ms", scale: .logarithmic),
        y: Axis("latency", unit: "ms", including: [0]), seriesTitle: "crossfade",
        series: series, law: "(window + crossfade) / 2"))
  }

  private static func law(of row: SettingSummary) -> LatencyLaw? {
    try? LatencyLaw(subject: row.subject, settings: row.settings)
  }

  /// Returns the law of a row at other windows.
  private func law(_ row: SettingSummary, over windows: [Double]) -> [CurvePlot.Point] {
    guard let low = windows.min(), let high = windows.max(), low < high else { return [] }
    return (0...24).compactMap { step in
      var other = row
      let window = low + (high - low) * Double(step) / 24
      other.settings["windowMs"] = .number(window)
      guard let predicted = try? Self.law(of: other)?.predictedMs(score: row.score, noteHz: nil)
      else { return nil }
      return CurvePlot.Point(window, Amount(predicted))
    }
  }
}
