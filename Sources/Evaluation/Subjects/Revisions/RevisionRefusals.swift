import Platform

extension Refusal {
  public static func dirty(files: [String], repository: String) -> Refusal {
    Refusal(
      "the repository \(repository) has uncommitted changes, so the result belongs to no commit: "
        + files.prefix(5).joined(separator: ", ")
        + (files.count > 5 ? " and \(files.count - 5) more" : "")
        + "; commit or stash them, or measure them all the same: --allow-dirty")
  }

  public static func noFile(path: String, commit: String, earlier: String?) -> Refusal {
    Refusal(
      "the revision \(commit) has no \(path)"
        + (earlier.map { ": it was \($0) then; name it: --against-subject \($0)" }
          ?? "; choose a later revision, or name the subject's file of then: --against-subject FILE")
    )
  }

  static func cache(path: String, reason: String) -> Refusal {
    Refusal(
      "\(path) can't be written: \(reason); choose another folder for the builds: --builds FOLDER")
  }
}
