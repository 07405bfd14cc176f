import Platform

/// A corpus or a recording that can't be read.
public enum CorpusError: Error, Equatable, CustomStringConvertible {
  case manifest(path: String, line: Int, problem: String)
  /// The folder has no manifest.
  case noCorpus(path: String)
  case emptyCorpus(path: String)
  case unknownRecording(id: String, known: [String])
  case recordingMissing(id: String, path: String)
  case recordingChanged(id: String, path: String)
  case recordingUnreadable(id: String, cause: Cause)
  /// Copy synthesis needs a recording whose truth is not known.
  case alreadySynthetic(id: String, source: String)
  case unknownSynthetic(id: String)

  public var description: String {
    switch self {
    case .manifest(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .noCorpus(let path):
      "there is no corpus in \(path): manifest.csv is missing; name the corpus's folder with "
        + "--corpus, or start one with choir-eval corpus add or import"
    case .emptyCorpus(let path):
      "the corpus \(path) is empty: its manifest has no rows; "
        + "add recordings with choir-eval corpus import or add"
    case .unknownRecording(let id, let known):
      "the corpus has no recording '\(id)'; it has \(known.joined(separator: ", "))"
    case .recordingMissing(let id, let path):
      "the recording '\(id)' is missing: there is no \(path); fetch Debian's recordings with "
        + "scripts/fetch-corpus, add your own with choir-eval corpus import or add"
    case .recordingChanged(let id, let path):
      "\(path) differs from the recording '\(id)' of the manifest (SHA-256); "
        + "delete it, then fetch or import it again"
    case .recordingUnreadable(let id, let cause): "the recording '\(id)' can't be read: \(cause)"
    case .alreadySynthetic(let id, let source):
      "the recording '\(id)' can't be read: its source '\(source)' is synthetic and has exact truth "
        + "already; copy a recording"
    case .unknownSynthetic(let id):
      "the manifest names the synthetic recording '\(id)', which this version does not know; "
        + "remove its row or update choir-eval"
    }
  }
}
