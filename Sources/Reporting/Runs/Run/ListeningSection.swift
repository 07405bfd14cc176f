import Corpus
import Sweep

/// The section of clips whose sound the plan kept.
struct ListeningSection {
  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  let baseline: EarlierRun?

  /// - Parameter best: settings that come first in each clip.
  ///
  /// - Returns: the section, if there is anything to hear, and the single voices of its recordings.
  func sections(best: SubjectSettings?) throws -> (all: [Section], voices: [VoiceClip]) {
    let players = RunClips(run: run, store: store, corpus: corpus, baseline: baseline)
    let recordings = try (run.plan.listen ?? []).map { try players.clips(of: $0, best: best) }
    let (clips, voices) = (recordings.flatMap(\.all), recordings.flatMap(\.voices))
    let withheld = try withheld().map { "‘\($0.id)’ (\($0.licence))" }
    guard !clips.isEmpty || !withheld.isEmpty else { return ([], []) }
    let silence =
      withheld.isEmpty
      ? ""
      : " Their licences forbid passing on: " + withheld.joined(separator: ", ") + "."
    let section = Section(
      id: "listening", title: "Listening",
      intro: "All voices of a mix are scaled by the same gain, so that the mix does not clip."
        + silence,
      clips: clips)
    return ([section], voices)
  }

  /// Recordings that the plan listens to and whose licences forbid passing them on.
  private func withheld() throws -> [ManifestEntry] {
    try (run.plan.listen ?? []).map(corpus.entry(id:)).filter { !$0.mayBeEmbedded }
  }
}
