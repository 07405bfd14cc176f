/// A plan that can't be run.
public enum PlanError: Error, Equatable, CustomStringConvertible {
  case invalid(path: String, problem: String)
  case nothingToRun(plan: String)

  public var description: String {
    switch self {
    case .invalid(let path, let problem): "\(path): \(problem)"
    case .nothingToRun(let plan):
      "the plan '\(plan)' has no cells; add recordings, scores or values of settings"
    }
  }
}
