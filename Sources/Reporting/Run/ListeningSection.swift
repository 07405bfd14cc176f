import Evaluation

/// The clips whose sound and pitch the plan kept.
struct ListeningSection {
  let run: StoredRun
  let store: ResultStore
  let corpus: Corpus
  let baseline: EarlierRun?

  /// - Parameter best: settings that come first in each clip.
  func sections(best: SubjectSettings?) throws -> [Section] {
    let players = RunClips(run: run, store: store, corpus: corpus, baseline: baseline)
    let clips = try (run.plan.listen ?? []).flatMap { try players.clips(of: $0, best: best) }
    let withheld = try withheld().map { "‘\($0.id)’ (\($0.licence))" }
    guard !clips.isEmpty || !withheld.isEmpty else { return [] }
    let silence =
      withheld.isEmpty
      ? ""
      : " Left out, since their licences don't let them be passed on: "
        + withheld.joined(separator: ", ") + "."
    return [
      Section(
        id: "listening", title: "To listen to",
        intro: "The voices of a mix are scaled alike so that they don't clip." + silence,
        clips: clips)
    ]
  }

  /// Recordings that the plan would have heard and that may not be passed on.
  private func withheld() throws -> [ManifestEntry] {
    try (run.plan.listen ?? []).map(corpus.entry(id:)).filter { !$0.mayBeEmbedded }
  }
}
