import Corpus
import DSP
import Foundation
import Metrics
import Platform
import Probes
import Subjects
import Sweep

/// The single voices that a choir rendered of one cell.
struct VoiceClip {
  let cell: CellResult
  let voices: [Sound]
  /// The clip of all of them, each beside its ideal.
  let clip: Clip
}

/// The clips of a run: for each recording that the plan listens to, each condition and score, one clip
/// of all outputs; and one clip of the single voices.
struct RunClips {
  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  let baseline: EarlierRun?

  /// Name of the sound before a change.
  static let baselineName = "baseline"

  /// - Parameter best: the recommended settings, which come first.
  func clips(
    of recording: String, best: SubjectSettings?
  ) throws -> (all: [Clip], voices: [VoiceClip]) {
    let entry = try corpus.entry(id: recording)
    let cells = run.cells.filter {
      $0.recording == recording && store.soundFile(of: $0.key) != nil
    }
    guard entry.mayBeEmbedded else { return ([], []) }
    let note = "\(entry.shows). \(entry.licence); \(entry.attribution)."
    let groups = cells.grouped { [$0.condition, $0.score.id] }
    let severalScores = Set(groups.map { $0[0].score.id }).count > 1
    var voices: [VoiceClip] = []
    var sung: Set<String> = []
    let all = groups.enumerated().flatMap { index, cells -> [Clip] in
      let circumstances = [
        cells[0].condition == "clean" ? "" : cells[0].condition,
        severalScores ? cells[0].score.id : "",
      ].filter { !$0.isEmpty }
      let title = ([recording] + circumstances).joined(separator: ", ")
      let id = ReportFiles.slug(ofRecording: recording) + (index == 0 ? "" : "-\(index + 1)")
      let mixes = Clip(
        id: id, title: title, note: note + silence(cells, best), sounds: mixes(cells, best))
      let chosen = cells.first { $0.settings == best } ?? cells[0]
      // The first condition of each score tells how its voices sound alone.
      guard sung.insert(chosen.score.id).inserted,
        let single = self.voices(of: chosen, id: id, title: title)
      else { return [mixes] }
      voices.append(single)
      return [mixes, single.clip]
    }
    return (all, voices)
  }

  /// The input, the ideal choir, the baseline's, then the choir under every setting.
  private func mixes(_ cells: [CellResult], _ best: SubjectSettings?) -> [Sound] {
    let traits = Self.varying(cells)
    let ordered = cells.filter { $0.settings == best } + cells.filter { $0.settings != best }
    let before = before(ordered).map {
      Sound(Self.baselineName, detail: baseline?.name ?? "", path: $0.path)
    }
    return store.given(cells) + before.part
      + ordered.map { cell in
        let words =
          traits.map { $0.words(for: cell) } + (cell.settings == best ? ["recommended"] : [])
        return Sound(
          "choir", detail: words.joined(separator: ", "), path: store.soundFile(of: cell.key)!.path)
      }
  }

  /// The baseline's sound of the first cell.
  private func before(_ ordered: [CellResult]) -> URL? {
    guard let baseline, let first = ordered.first, case .sound(let file) = baseline.kept(of: first)
    else { return nil }
    return file
  }

  /// The reason why the baseline has no sound in the clip; empty if it has one, and without a baseline.
  private func silence(_ cells: [CellResult], _ best: SubjectSettings?) -> String {
    guard let baseline else { return "" }
    return switch baseline.kept(of: cells.first { $0.settings == best } ?? cells[0]) {
    case .sound: ""
    case .same: " The baseline's sound is the same, bit for bit."
    case .missing(let reason): " The baseline's sound is missing: \(reason)."
    }
  }

  /// The single voices of one cell, each beside its ideal; rendered again, because a run keeps the mix
  /// only. `nil` if the subject or the recording is missing, and for a single voice.
  private func voices(of cell: CellResult, id: String, title: String) -> VoiceClip? {
    guard let replay = try? CellReplay(of: cell, of: run, in: corpus) else { return nil }
    let stems = replay.observation.rendering.stems
    guard stems.count > 1 else { return nil }
    func sound(_ name: String, _ detail: String, _ signal: Signal) -> Sound {
      Sound(name, detail: detail, path: "\(cell.key) \(name) \(detail)", made: signal)
    }
    let lead = sound("input", "", replay.observation.heard)
    let labels = cell.score.voiceLabels
    let voices = zip(stems, labels).map { stem, label in
      sound(Score.words(forVoice: label), "", stem)
    }
    let sounds = zip(voices.indices, zip(voices, labels)).flatMap { index, voice in
      [voice.0]
        + (replay.hasIdeal
          ? [sound("oracle \(voice.1)", "", replay.target(ofVoice: index))] : [])
    }
    let clip = Clip(
      id: "\(id)-voices", title: "\(title), voice by voice",
      note: "At \(cell.settings.canonical).", sounds: [lead] + sounds)
    return VoiceClip(cell: cell, voices: voices, clip: clip)
  }

  /// The traits that differ between the cells of a clip.
  private static func varying(_ cells: [CellResult]) -> [Trait] {
    let names = Set(cells.flatMap(\.settings.keys)).sorted()
    return ([.subject] + names.map(Trait.setting)).filter { trait in
      Set(cells.map(trait.words)).count > 1
    }
  }

  private enum Trait {
    case subject
    case setting(String)

    func words(for cell: CellResult) -> String {
      switch self {
      case .subject: return cell.subject
      case .setting(let name):
        guard let value = cell.settings[name] else { return "default \(name)" }
        return name.hasSuffix("Ms") ? "\(name.dropLast(2)) \(value) ms" : "\(name) \(value)"
      }
    }
  }
}

extension ResultStore {
  /// Returns the first input and the first ideal choir that the run kept of cells that share them.
  func given(_ cells: [CellResult]) -> [Sound] {
    let input = cells.lazy.compactMap(inputFile).first.map { Sound("input", path: $0.path) }
    let oracle = cells.lazy.compactMap(oracleFile).first.map {
      Sound("oracle", detail: "the ideal choir", path: $0.path)
    }
    return input.part + oracle.part
  }
}
