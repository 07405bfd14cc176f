import Platform

extension Refusal {
  public static func emptyCorpus(path: String) -> Refusal {
    Refusal(
      "the corpus \(path) is empty: its manifest has no rows; "
        + "add recordings with choir-eval corpus import or add")
  }

  public static func unknownRecording(id: String, known: [String]) -> Refusal {
    Refusal("the corpus has no recording '\(id)'; it has \(known.joined(separator: ", "))")
  }

  static func recordingMissing(id: String, path: String) -> Refusal {
    Refusal(
      "the recording '\(id)' is missing: there is no \(path); fetch Debian's recordings with "
        + "scripts/fetch-corpus, add your own with choir-eval corpus import or add")
  }

  static func recordingChanged(id: String, path: String) -> Refusal {
    Refusal(
      "\(path) differs from the recording '\(id)' of the manifest (SHA-256); "
        + "delete it, then fetch or import it again")
  }

  static func recordingUnreadable(id: String, cause: any Error) -> Refusal {
    Refusal("the recording '\(id)' can't be read: \(errorText(cause))")
  }
}
