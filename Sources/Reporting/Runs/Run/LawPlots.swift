import Corpus
import Foundation
import Platform
import Statistics
import Subjects
import Sweep
import Tuning

/// Figures of measured values against the laws of the engines: tremolo, formants and latency.
struct LawPlots {
  private let facts: RunFacts
  /// Cells of voices on intervals, with the score and condition of the first.
  private let cells: [CellResult]
  /// The setting with the lowest total for each engine.
  private let choices: [(choice: SettingChoice, law: FormantLaw)]

  /// Maximum number of settings in a readable figure.
  private static let maxSettings = 150

  init(facts: RunFacts) {
    self.facts = facts
    cells = Self.cells(of: facts)
    choices = Self.choices(facts, among: Set(cells.map { SettingChoice($0) }))
  }

  func drawings() throws -> [Drawing] {
    try [tremolo(), formants(), latency()].compactMap(\.self)
  }

  private static func cells(of facts: RunFacts) -> [CellResult] {
    let all = facts.voiceCells.filter { cell in
      guard case .intervals = cell.score.form, case .measured = cell.outcome else { return false }
      return cell.subject == ReferenceSubject().id
        && cell.settings["effects", default: .text("dry")] == .text("dry")
    }
    guard let first = all.first else { return [] }
    return all.filter { $0.score == first.score && $0.condition == first.condition }
  }

  /// The median over recordings with its 95 % interval.
  private func point(_ x: Double, _ recordings: [Double]) -> CurvePlot.Point? {
    RecordingMedian(recordings).map { .init(x, Amount($0.value), interval: $0.bounds) }
  }

  // MARK: Tremolo

  private func tremolo() throws -> Drawing? {
    let laws = cells.map(\.settings).uniqued().compactMap { settings in
      TremoloLaw(settings).map { (settings: settings, law: $0) }
    }
    guard laws.count > 1, laws.count <= Self.maxSettings else { return nil }
    let drawn = Set(laws.map(\.settings))
    let lines = cells.filter { drawn.contains($0.settings) }
    let measured = Dictionary(grouping: try facts.store.detailed(lines), by: \.settings)
    var points: [Double: [CurvePlot.Point]] = [:]
    for (settings, law) in laws {
      let recordings = (measured[settings] ?? []).compactMap { Statistics.mean(depths($0, law)) }
      guard let found = point(law.crossfadePercent, recordings) else { continue }
      points[law.windowMs, default: []].append(found)
    }
    guard points.values.joined().count > 1, points.count <= PlotPalette.series.count
    else { return nil }
    return Drawing(
      id: "law-tremolo", title: "Tremolo against its law",
      shows:
        "The level swings at the rate at which the taps cross. Its depth grows with the crossfade's "
        + "share of the window. For a sound of many partials it follows the broad line, at any "
        + "window and interval.",
      omits: "voices whose own pulses are too near that rate. Sounds of few partials swing more or "
        + "less than the law.", command: facts.command,
      plot: CurvePlot(
        x: Axis("crossfade", unit: "% of the window", including: [0]),
        y: Axis("depth of the tremolo", unit: "dB", including: [0]), seriesTitle: "window",
        series: points.keys.sorted().map { window in
          CurvePlot.Series(
            "\(SettingValue.number(window)) ms", points: points[window]!.sorted { $0.x < $1.x })
        },
        sharedLaw: (0...50).map {
          CurvePlot.Point(Double($0), Amount(TremoloLaw.depthDb(crossfadePercent: Double($0))))
        },
        law: "by the law of the delay line", namesPlaces: false))
  }

  /// Tremolo depths of the voices that were measured at the rate of their law.
  private func depths(_ cell: CellResult, _ law: TremoloLaw) -> [Double] {
    guard case .intervals(let intervals) = cell.score.form else { return [] }
    return intervals.enumerated().compactMap { voice, interval in
      let rateHz = law.rateHz(shiftSemitones: interval, sampleRateHz: cell.sampleRateHz)
      guard let found = cell.value("tremolo.rate", voice: voice),
        abs(found - rateHz) < 1e-6 * rateHz
      else { return nil }
      return cell.value("tremolo.depth", voice: voice)
    }
  }

  // MARK: Formants

  private static func choices(
    _ facts: RunFacts, among measured: Set<SettingChoice>
  ) -> [(choice: SettingChoice, law: FormantLaw)] {
    var seen: Set<String> = []
    return facts.pointsByTotal.compactMap { point in
      let choice = SettingChoice(point)
      guard choice.subject == ReferenceSubject().id, let law = FormantLaw(choice.settings),
        measured.contains(choice), seen.insert(law.engineName).inserted
      else { return nil }
      return (choice, law)
    }
  }

  private func formants() -> Drawing? {
    guard let first = cells.first, case .intervals(let intervals) = first.score.form,
      let low = intervals.min(), let high = intervals.max(), low < high
    else { return nil }
    let reach = stride(from: low - 0.5, through: high + 0.5, by: 0.25)
    let series = choices.prefix(PlotPalette.series.count).compactMap {
      choice, law -> CurvePlot.Series? in
      let summary = facts.summaries.first {
        SettingChoice($0) == choice && $0.score == first.score && $0.condition == first.condition
      }
      let points = zip(intervals, summary?.voices ?? []).compactMap { interval, voice in
        voice.figures["formant.ratio"].map {
          CurvePlot.Point(exp2(interval / 12), Amount($0.value), interval: $0.bounds)
        }
      }
      guard points.count > 1 else { return nil }
      return CurvePlot.Series(
        law.engineName, points: points,
        law: reach.map { .init(exp2($0 / 12), Amount(law.ratio(shiftSemitones: $0))) })
    }
    guard !series.isEmpty else { return nil }
    return Drawing(
      id: "law-formants", title: "Formants against their law",
      shows: "A delay line takes formants along with the pitch; the other engines keep them at 1. "
        + "Each engine is shown at its setting with the lowest total.",
      omits: "single formants, which the section on timbre shows.", command: facts.command,
      plot: CurvePlot(
        x: Axis("ratio of the pitch", unit: ""), y: Axis("ratio of formants", unit: ""),
        seriesTitle: "engine", series: series, law: "by law", namesPlaces: false))
  }

  // MARK: Latency

  private func latency() -> Drawing? {
    guard let first = cells.first else { return nil }
    let notes = facts.recordingFacts.compactMap { fact in
      fact.medianF0Hz.map { (fact.id, $0) }
    }
    let series = choices.prefix(PlotPalette.series.count).compactMap {
      choice, engine -> CurvePlot.Series? in
      let own = cells.filter { SettingChoice($0) == choice }
      let points = notes.compactMap { id, noteHz -> CurvePlot.Point? in
        let found = own.filter { $0.recording == id }.compactMap { $0.value("latency.onset") }
        return Statistics.mean(found).map { CurvePlot.Point(noteHz, Amount($0)) }
      }
      guard points.count > 1, let low = points.map(\.x).min(), let high = points.map(\.x).max(),
        low < high
      else { return nil }
      let theory = try? LatencyLaw(subject: choice.subject, settings: choice.settings)
      let law = (0...40).compactMap { step -> CurvePlot.Point? in
        let noteHz = low * pow(high / low, Double(step) / 40)
        let predicted = try? theory?.predictedMs(score: first.score, noteHz: noteHz)
        return predicted.map { CurvePlot.Point(noteHz, Amount($0)) }
      }
      return law.isEmpty
        ? nil : CurvePlot.Series(engine.engineName, points: points.sorted { $0.x < $1.x }, law: law)
    }
    guard !series.isEmpty else { return nil }
    return Drawing(
      id: "law-latency", title: "Latency of each recording against the law of its engine",
      shows: "Windows cause a fixed delay; engines that wait for periods of the voice are later on "
        + "low voices. Each point is a recording, with its latency measured by onsets.",
      omits: "the offline engine, which has no latency, and recordings without clear onsets.",
      command: facts.command,
      plot: CurvePlot(
        x: Axis("median pitch of the recording", unit: "Hz", scale: .logarithmic),
        y: Axis("latency", unit: "ms", including: [0]), seriesTitle: "engine", series: series,
        law: "by law", namesPlaces: false))
  }
}
