/// A failure that prevents a comparison with another revision.
public enum AgainstError: Error, Equatable, CustomStringConvertible {
  case noBuild(gate: String)
  case program(path: String, commit: String, reason: String)
  case referenceFailed(commit: String, reason: String)
  case otherMetrics(commit: String, metrics: [String])
  case otherJudges(commit: String)

  public var description: String {
    switch self {
    case .noBuild(let gate):
      "\(gate): lacks 'build', so no other revision can be built; add the shell command that builds "
        + "the subject, run in the top folder of the repository, such as build: make"
    case .program(let path, let commit, let reason):
      "\(path) of the revision \(commit) could not measure the plan: \(reason); choose a later "
        + "revision, or compare with a baseline file: choir-eval accept"
    case .referenceFailed(let commit, let reason):
      "no cell of the revision \(commit) could be measured: \(reason); choose another revision, or "
        + "correct 'build' in the gate"
    case .otherJudges(let commit):
      "choir-eval of the revision \(commit) has its judges set otherwise, so the two sides can't be "
        + "compared; choose a later revision"
    case .otherMetrics(let commit, let metrics):
      "choir-eval of the revision \(commit) measures "
        + metrics.prefix(5).joined(separator: ", ")
        + (metrics.count > 5 ? " and \(metrics.count - 5) more" : "")
        + " by another version, so the two sides can't be compared; choose a later revision, or "
        + "choose other 'metrics' in the gate"
    }
  }
}
