import Analyzer
import Corpus
import Foundation
import Gate
import Metrics
import Platform
import Probes
import Sweep

/// The sound of what got worse: for each cause, the cell that decided, rendered again.
package struct GateSounds {
  private let run: StoredRun
  private let store: ResultStore
  private let corpus: Corpus

  /// Number of causes that a reader will listen to; each takes a rendering.
  private static let maxCauses = 3

  package init(_ run: StoredRun, in store: ResultStore, corpus: Corpus) {
    (self.run, self.store, self.corpus) = (run, store, corpus)
  }

  /// Returns the section with the sounds; `nil` if no single cell decided anything.
  func section(of result: GateResult, command: String, into scratch: ScratchFolder) -> Section? {
    let decided = result.causes.compactMap { group -> (CauseGroup, MetricDifference)? in
      result.comparison?.differences.first { $0.key == group.head && $0.extreme != nil }
        .map { (group, $0) }
    }.prefix(Self.maxCauses)
    guard !decided.isEmpty else { return nil }
    var (drawings, problem) = ([Drawing](), (any Error)?.none)
    for (index, (group, head)) in decided.enumerated() {
      do {
        drawings += try drawing(
          "cause-\(index + 1)", group, head, result.against, command, scratch
        ).part
      } catch { problem = problem ?? error }
    }
    let before =
      result.against == nil
      ? "A baseline file keeps figures and no sounds; --against REVISION plays the sound before, too."
      : "The baseline is the sound before."
    return Section(
      id: "sounds", title: "What it sounds like",
      intro: "The recording and voice in which each cause shows most. \(before)"
        + (problem.map { " A cell could not be rendered again: \($0)." } ?? ""),
      drawings: drawings)
  }

  private func drawing(
    _ id: String, _ group: CauseGroup, _ head: MetricDifference, _ against: GateResult.Against?,
    _ command: String, _ scratch: ScratchFolder
  ) throws -> Drawing? {
    guard let key = head.extreme?.cell, let cell = run.cells.first(where: { $0.key == key }) else {
      return nil
    }
    let replay = try CellReplay(of: cell, of: run, in: corpus)
    // The voices of a probe are not judged.
    let voice = (head.voice ?? group.voices.first).flatMap(cell.score.voiceLabels.firstIndex(of:))
      .flatMap { replay.observation.voices.indices.contains($0) ? $0 : nil }
    let kept = store.soundFile(of: key)?.path
    let pair = against?.sounds.first { $0.candidateFile == kept }
    let worst = Metric.metric(id: head.metric).flatMap { metric in
      (try? replay.worst(for: metric, most: 20))?.first { $0.voice == nil || $0.voice == voice }
    }
    let instant: (at: Double, words: String) =
      worst.map { (at: $0.atSeconds, words: $0.words) }
      ?? pair?.instants.first.map { ($0.atSeconds, "here both sounds differ most") }
      ?? (replay.loudestSeconds(ofVoice: voice), "here the voice is loudest")
    let figure = InstantFigure(replay: replay, atSeconds: instant.at, voice: voice)
    let title = group.title.capitalizedFirst
    let clip = try figure.clip(
      "\(id)-sound", title: title, of: corpus, into: scratch,
      before: pair.map {
        .init(file: URL(fileURLWithPath: $0.baselineFile), detail: against?.commit.short ?? "")
      })
    return figure.drawing(
      id, title: title,
      shows: "\(head.place ?? head.reason). Dotted line: \(instant.words).",
      isOfPitch: ["pitch", "voice"].contains(head.metric.prefix { $0 != "." }), command: command,
      clip: clip)
  }

  /// The sounds beside the verdict: those of the first cause.
  static func buttons(_ section: Section?) -> [(title: String, link: AudioLink)] {
    guard let clip = section?.drawings.lazy.compactMap(\.clip).first else { return [] }
    func button(_ title: String, _ names: [String]) -> (String, AudioLink)? {
      names.lazy.compactMap { name in clip.sounds.firstIndex { $0.name == name } }.first
        .map { (title, AudioLink(clip: clip.id, sound: $0)) }
    }
    guard let before = button("Play before", [RunClips.baselineName]) else {
      return [
        button("Play how it should sound", ["oracle", "target"]),
        button("Play how it sounds now", ["voice", "choir"]),
      ]
      .compactMap(\.self)
    }
    return [before, button("Play after", ["choir"])].compactMap(\.self)
  }
}

extension CellReplay {
  /// The time at which a voice, or the mix, is loudest.
  fileprivate func loudestSeconds(ofVoice voice: Int?) -> Double {
    let sound = sound(ofVoice: voice)
    let place = sound.samples.indices.max { abs(sound.samples[$0]) < abs(sound.samples[$1]) }
    return Double(place ?? 0) / sound.sampleRateHz
  }
}
