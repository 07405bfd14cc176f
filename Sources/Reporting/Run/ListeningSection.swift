import Analyzer
import AudioFile
import Evaluation
import Foundation

/// The clips whose sound and pitch the plan kept.
struct ListeningSection {
  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  let command: String

  /// - Parameter best: the settings whose pitch is drawn.
  func sections(best: SubjectSettings?) throws -> [Section] {
    let listened = run.plan.listen ?? []
    let figures = try listened.prefix(1).flatMap { recording in
      [try sung(recording), try lanes(recording, best)].compactMap(\.self)
    }
    let clips = try listened.compactMap(clip)
    let withheld = try withheld().map { "‘\($0.id)’ (\($0.licence))" }
    guard !figures.isEmpty || !clips.isEmpty || !withheld.isEmpty else { return [] }
    let silence =
      withheld.isEmpty
      ? ""
      : " Left out, since their licences don't let them be passed on: "
        + withheld.joined(separator: ", ") + "."
    return [
      Section(
        id: "voices", title: "Each voice, seen and heard",
        intro: "The voices of a mix are scaled alike so that they don't clip." + silence,
        figures: figures, clips: clips)
    ]
  }

  /// Recordings that the plan would have heard and that may not be passed on.
  private func withheld() throws -> [ManifestEntry] {
    try (run.plan.listen ?? []).map(corpus.entry(id:)).filter { !$0.mayBeEmbedded }
  }

  private func cells(of recording: String) -> [CellResult] {
    run.cells.filter { $0.recording == recording }
  }

  /// What the analyzer hears in a recording before any choir; nil where its sound was not kept.
  private func sung(_ recording: String) throws -> Figure? {
    let file = cells(of: recording).first { $0.condition == "clean" }.flatMap(store.inputFile)
    guard let file else { return nil }
    let signal = try AudioFile(reading: file.path).mono
    let profile = try VoiceProfile(of: signal, track: PitchTracker().track(signal))
    return try VoicePicture(
      of: signal, profile, id: "sung-\(slug(recording))",
      title: "What the choir was given: \(recording)",
      command: command
    ).figure
  }

  private func lanes(_ recording: String, _ best: SubjectSettings?) throws -> Figure? {
    guard let cell = cells(of: recording).first(where: { $0.settings == best }) else { return nil }
    let traces = try store.traces(of: cell.key)
    let labels = cell.score.voiceLabels
    let voices = traces.prefix(8).map { trace in
      LaneFigure.Voice(
        labels[trace.voice],
        frames: zip(trace.targetHz, trace.heardHz).enumerated().map { index, pair in
          LaneFigure.Frame(
            timeS: Double(index) * trace.hopSeconds, targetHz: pair.0 > 0 ? Double(pair.0) : nil,
            measuredHz: pair.1 > 0 ? Double(pair.1) : nil)
        })
    }
    let drawn = voices.contains { $0.frames.contains { $0.targetHz != nil } }
    guard drawn else { return nil }
    return Figure(
      id: "lanes-\(slug(recording))", title: "Pitch of each voice over its target",
      shows: "Where a voice leaves its target, and for how long: ‘\(recording)’ at "
        + "\(cell.settings.canonical).",
      omits: "loudness and timbre; frames where the lead is silent.", command: command,
      drawing: .lanes(LaneFigure(voices: Array(voices))))
  }

  private func clip(_ recording: String) throws -> Clip? {
    let cells = cells(of: recording).filter { store.soundFile(of: $0.key) != nil }
    let entry = try corpus.entry(id: recording)
    guard !cells.isEmpty, entry.mayBeEmbedded else { return nil }
    return Clip(
      id: slug(recording), title: recording,
      note: "\(entry.shows). \(entry.licence); \(entry.attribution).",
      sounds: references(of: cells) + cells.map(choir))
  }

  /// The input under each condition, and the oracle of each score.
  private func references(of cells: [CellResult]) -> [Sound] {
    let sounds =
      cells.compactMap { cell in
        store.inputFile(of: cell).map {
          Sound("input", detail: words(for: cell.condition), path: $0.path)
        }
      }
      + cells.compactMap { cell in
        store.oracleFile(of: cell).map {
          Sound("oracle", detail: "\(cell.score.id), the ideal choir", path: $0.path)
        }
      }
    var seen: Set<String> = []
    return sounds.filter { seen.insert($0.path).inserted }
  }

  private func choir(_ cell: CellResult) -> Sound {
    let detail = [cell.score.id, words(for: cell.condition), cell.settings.canonical]
    return Sound(
      "choir", detail: detail.filter { !$0.isEmpty }.joined(separator: ", "),
      path: store.soundFile(of: cell.key)!.path)
  }

  private func words(for condition: String) -> String { condition == "clean" ? "" : condition }

  private func slug(_ text: String) -> String { ReportFiles.slug(text) }
}
