/// A failure that prevents a bisection.
public enum BisectionError: Error, Equatable, CustomStringConvertible {
  case sameCommit(String)
  case nothingWorse(good: String, bad: String, figure: String?, worse: [String])

  public var description: String {
    switch self {
    case .sameCommit(let commit):
      "--good and --bad are both \(commit); choose two commits, the good one first"
    case .nothingWorse(let good, let bad, let figure?, let worse):
      "'\(figure)' is not worse at \(bad) than at \(good); choose "
        + (worse.isEmpty
          ? "other commits: no figure of the gate is"
          : "another figure: \(worse.prefix(8).joined(separator: ", "))")
    case .nothingWorse(let good, let bad, nil, let worse):
      "no figure of the gate regressed from \(good) to \(bad), so there is no commit to name; choose "
        + "other commits"
        + (worse.isEmpty
          ? "" : ", or a figure that got a little worse: --figure \(worse[0])")
    }
  }
}
