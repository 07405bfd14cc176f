import Metrics
import Platform
import Probes
import Statistics
import Subjects
import Sweep

/// Timbre and intelligibility: envelopes, formants, consonants, words.
struct TimbreSection {
  let facts: RunFacts

  func section() -> Section? {
    let drawings = replayed() + [fates, understood].compactMap(\.self)
    guard formants != nil || !drawings.isEmpty else { return nil }
    return Section(
      id: "timbre", title: "Timbre and words", intro: "At the recommended setting.",
      drawings: drawings, tables: formants.part)
  }

  // MARK: Envelope and formants of one recording

  /// Figures of one recording: a synthetic one if possible, because it has an ideal voice.
  private func replayed() -> [Drawing] {
    let cells = facts.chosenCells.filter {
      !$0.isProbe && $0.condition == "clean" && $0.mean("formant.ratio") != nil
    }
    let listened = cells.filter { facts.run.plan.listen?.contains($0.recording) ?? false }
    let cell =
      (listened + cells).first { $0.mean("intelligibility.estoi") != nil }
      ?? (listened + cells).first
    guard let cell, let replay = try? CellReplay(of: cell, of: facts.run, in: facts.corpus),
      let timbres = try? replay.timbres(ofVoice: 0)
    else { return [] }
    let sounds = [
      ("input", timbres.input), (Score.words(forVoice: cell.score.voiceLabels[0]), timbres.voice),
      ("ideal", timbres.ideal),
    ].compactMap { name, timbre in timbre.map { (name: name, timbre: $0) } }
    guard sounds.count > 1 else { return [] }
    return [envelope(cell, sounds), tracks(cell, sounds)].compactMap(\.self)
  }

  private func envelope(
    _ cell: CellResult, _ sounds: [(name: String, timbre: VoiceTimbre)]
  ) -> Drawing {
    let series = sounds.map { name, timbre in
      CurvePlot.Series(
        name, points: timbre.envelope.map { .init($0.hz, Amount($0.db)) }, isJoined: true,
        hasMarks: false)
    }
    return Drawing(
      id: "envelope", title: "Spectral envelope before and after",
      shows:
        "Peaks are formants; those of the voice that differ from the input's have moved. Mean over "
        + "‘\(cell.recording)’, at equal loudness.",
      omits: "changes over time, and the other voices.", command: facts.command,
      plot: CurvePlot(
        x: Axis("frequency", unit: "Hz", scale: .logarithmic), y: Axis("level", unit: "dB"),
        series: series))
  }

  private func tracks(
    _ cell: CellResult, _ sounds: [(name: String, timbre: VoiceTimbre)]
  ) -> Drawing? {
    let series = sounds.prefix(2).flatMap { name, timbre in
      timbre.formants.enumerated().map { formant, track in
        CurvePlot.Series(
          "F\(formant + 1) \(name)", points: track.map { .init($0.timeSeconds, Amount($0.hz)) },
          isJoined: false)
      }
    }
    guard series.allSatisfy({ $0.points.count > 1 }) else { return nil }
    return Drawing(
      id: "formant-tracks", title: "Formants over time",
      shows: "Formants are kept where the marks of the voice lie on those of the input: "
        + "‘\(cell.recording)’.",
      omits: "voiced stretches shorter than half a second.", command: facts.command,
      plot: CurvePlot(
        x: Axis("time", unit: "s"), y: Axis("frequency", unit: "Hz", scale: .logarithmic),
        series: series))
  }

  // MARK: In numbers

  private static let timbre = [
    "formant.ratio", "formant.f1_shift", "formant.f2_shift", "formant.f3_shift", "envelope.lsd",
    "timbre.mcd", "timbre.tilt_change", "tremolo.depth", "harmonicity.change",
  ]

  private var formants: Table? {
    FamilyTables.table(
      "timbre-table", "Formants and timbre, voice by voice",
      of: Self.timbre.compactMap(Metric.metric(id:)), facts.cleanSummaries,
      [.text("score", "score", \.score.id)],
      "Medians over recordings, in the clean condition.", style: .significant(2))
  }

  private static let fates = ["kept", "doubled", "smeared", "lost"]
  private static let classes = ["", ".plosive", ".affricate", ".fricative"]

  /// Outcomes of each class of consonants over recordings; the voices of a recording are one number.
  private var fates: Drawing? {
    let cells = facts.chosenCells.filter { $0.condition == "clean" }
    let recordings = cells.grouped(by: \.recording)
    let groups = Self.classes.compactMap { kind -> DotPlot.Group? in
      let lines = Self.fates.map { fate in
        let shares = recordings.compactMap { own in
          Statistics.mean(own.compactMap { $0.mean("consonant.\(fate)\(kind)") })
        }
        return line(fate, over: shares.map { $0 * 100 })
      }
      let isThere = lines.contains { $0.amount.value != nil }
      return isThere
        ? DotPlot.Group(name: kind.isEmpty ? "all" : "\(kind.dropFirst())s", lines: lines) : nil
    }
    guard !groups.isEmpty else { return nil }
    return Drawing(
      id: "fates", title: "Consonants",
      shows: "Kept is good; windows and pauses double, smear or lose consonants. Dots are medians "
        + "over recordings, bars 95 % intervals, rings single recordings.",
      omits: "single consonants.", command: facts.command,
      plot: DotPlot(
        x: Axis("share of consonants", unit: "%", including: [0, 100]), groupTitle: "class",
        lineTitle: "outcome", groups: groups))
  }

  /// Intelligibility for each condition and score.
  private var understood: Drawing? {
    let kinds = facts.chosenSummaries.map { [$0.condition, $0.score.id] }.uniqued()
    let severalScores = Set(kinds.map { $0[1] }).count > 1
    let severalConditions = Set(kinds.map { $0[0] }).count > 1
    let groups = kinds.compactMap { kind -> DotPlot.Group? in
      let cells = facts.chosenCells.filter { [$0.condition, $0.score.id] == kind }
      let lines = Self.intelligibility.map { metric in
        line(
          String(metric.dropFirst("intelligibility.".count)),
          over: cells.compactMap { $0.mean(metric) })
      }
      guard lines.contains(where: { $0.amount.value != nil }) else { return nil }
      let name =
        (severalConditions || !severalScores ? [kind[0]] : []) + (severalScores ? [kind[1]] : [])
      return DotPlot.Group(name: name.joined(separator: ", "), lines: lines)
    }
    guard !groups.isEmpty else { return nil }
    return Drawing(
      id: "understood", title: "Intelligibility",
      shows: "1 is perfect; dots are medians over recordings, bars 95 % intervals, rings single "
        + "recordings.",
      omits: "listeners: these are proxies. The first, second and fourth need the ideal voice.",
      command: facts.command,
      plot: DotPlot(
        x: Axis("intelligibility", unit: "", including: [0, 1]), groupTitle: "condition",
        lineTitle: "measure", groups: groups))
  }

  private func line(_ name: String, over recordings: [Double]) -> DotPlot.Line {
    let median = RecordingMedian(recordings)
    return DotPlot.Line(
      name: name,
      amount: Amount(median?.value, otherwise: "no recording on which it is defined"),
      interval: median?.bounds, singles: recordings)
  }

  private static let intelligibility = [
    "intelligibility.estoi", "intelligibility.stoi", "intelligibility.estoi.vocoded",
    "intelligibility.ncm", "intelligibility.modulation",
  ]
}
