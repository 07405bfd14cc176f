/// What keeps an evaluation from running at all; each says the way out.
public enum EvaluationError: Error, Equatable, CustomStringConvertible {
  case manifest(path: String, line: Int, problem: String)
  case plan(path: String, problem: String)
  /// A folder without a manifest.
  case noCorpus(path: String)
  case emptyCorpus(path: String)
  case unknownRecording(id: String, known: [String])
  case recordingMissing(id: String, path: String)
  case recordingChanged(id: String, path: String)
  case recordingUnreadable(id: String, reason: String)
  case unknownSynthetic(id: String)
  case nothingToRun(plan: String)
  case settings(subject: String, problem: String)
  /// - Parameter name: none where the last run was asked for.
  case unknownRun(name: String?, known: [String])
  /// Something wrote to a run while it was read.
  case changedRun(name: String)
  /// - Parameter problem: with its remedy.
  case store(path: String, problem: String)
  case noStore(path: String)
  case diskFull(path: String)
  case merge(path: String, problem: String)

  public var description: String {
    switch self {
    case .manifest(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .plan(let path, let problem): "\(path): \(problem)"
    case .noCorpus(let path):
      "there is no corpus in \(path): it has no manifest.csv; name the corpus's folder with "
        + "--corpus, or begin one there with choir-eval corpus add or import"
    case .emptyCorpus(let path):
      "the corpus \(path) is empty: its manifest names no recording; "
        + "choir-eval corpus import or add brings some"
    case .unknownRecording(let id, let known):
      "there is no recording '\(id)' in the corpus; it has \(known.joined(separator: ", "))"
    case .recordingMissing(let id, let path):
      "the recording '\(id)' is not at \(path); scripts/fetch-corpus gets it if it is Debian's, "
        + "choir-eval corpus import or add if it is yours"
    case .recordingChanged(let id, let path):
      "\(path) is not the recording '\(id)' that the manifest describes (its SHA-256 differs); "
        + "delete it, and fetch or import it again"
    case .recordingUnreadable(let id, let reason): "the recording '\(id)' can't be read: \(reason)"
    case .unknownSynthetic(let id):
      "the manifest names a synthetic recording '\(id)' that this version can't make"
    case .nothingToRun(let plan):
      "the plan '\(plan)' has no cells: its recordings, scores or settings are empty"
    case .settings(let subject, let problem): "\(subject): \(problem)"
    case .unknownRun(nil, _): "nothing was run yet into this store (choir-eval run PLAN)"
    case .unknownRun(let name?, let known):
      "there is no run '\(name)'; "
        + (known.isEmpty
          ? "nothing was run yet into this store (choir-eval run PLAN)"
          : "there are \(known.joined(separator: ", "))")
    case .changedRun(let name): "the run '\(name)' changed while it was read; do it again"
    case .store(let path, let problem):
      "\(path): \(problem)"
    case .noStore(let path):
      "there is no store \(path); run a plan into it first (choir-eval run PLAN), or name another "
        + "with --store"
    case .diskFull(let path):
      "\(path): the disk is full; free some space and run again: what is stored is not computed again"
    case .merge(let path, let problem): "\(path): \(problem)"
    }
  }
}
