/// A failure to find, check out or build a revision.
public enum RevisionError: Error, Equatable, CustomStringConvertible {
  case noGit(reason: String)
  case noRepository(of: String)
  case unknown(reference: String, repository: String)
  case shallow(reference: String, repository: String)
  case git(command: String, repository: String, reason: String)
  case dirty(files: [String], repository: String)
  case outside(file: String, repository: String)
  case noFile(path: String, commit: String, earlier: String?)
  case changedPlan(path: String, commit: String)
  case doesNotBuild(what: String, command: String, folder: String, reason: String, log: String)
  case noProgram(path: String, commit: String, command: String)
  case notBefore(good: String, bad: String)
  case cache(path: String, reason: String)

  public var description: String {
    switch self {
    case .noGit(let reason):
      "git can't be run: \(reason); install it: apt-get install git"
    case .noRepository(let file):
      "\(file) is not in a git repository, so there is no other revision of it; commit it first: "
        + "git init && git add . && git commit"
    case .unknown(let reference, let repository):
      "the repository \(repository) has no commit '\(reference)'; name a branch, tag or commit, or "
        + "fetch it: git fetch"
    case .shallow(let reference, let repository):
      "the repository \(repository) is a shallow clone and does not hold '\(reference)'; fetch the "
        + "history: git fetch --unshallow, or check out with fetch-depth: 0 (GIT_DEPTH: 0)"
    case .git(let command, let repository, let reason):
      "git \(command) failed in \(repository): \(reason); correct the cause and run it again"
    case .dirty(let files, let repository):
      "the repository \(repository) has uncommitted changes, so the result belongs to no commit: "
        + files.prefix(5).joined(separator: ", ")
        + (files.count > 5 ? " and \(files.count - 5) more" : "")
        + "; commit or stash them, or measure them all the same: --allow-dirty"
    case .outside(let file, let repository):
      "\(file) is not in the repository \(repository), so no other revision has it; move it there"
    case .noFile(let path, let commit, let earlier):
      "the revision \(commit) has no \(path)"
        + (earlier.map { ": it was \($0) then; name it: --against-subject \($0)" }
          ?? "; choose a later revision, or name the subject's file of then: --against-subject FILE")
    case .changedPlan(let path, let commit):
      "\(path) differs from that of \(commit), so the two revisions were meant to be measured "
        + "differently; commit the plan by itself first, or measure both by the present one: "
        + "--allow-changed-plan"
    case .doesNotBuild(let what, let command, let folder, let reason, let log):
      "\(what) does not build: '\(command)' in \(folder) \(reason); read \(log), correct 'build' "
        + "in the gate, or choose another revision"
    case .noProgram(let path, let commit, let command):
      "'\(command)' of the revision \(commit) built no \(path); correct 'build' or 'program' in the "
        + "gate"
    case .notBefore(let good, let bad):
      "\(good) is not before \(bad) in the history, so no commit between them is the first bad one; "
        + "choose a good commit that the bad one descends from: git merge-base \(good) \(bad)"
    case .cache(let path, let reason):
      "\(path) can't be written: \(reason); choose another folder for the builds: --builds FOLDER"
    }
  }
}
