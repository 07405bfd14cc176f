import Platform

/// A store that can't be read or written.
public enum StoreError: Error, Equatable, CustomStringConvertible {
  /// - Parameter name: `nil` for the last run.
  case unknownRun(name: String?, known: [String])
  /// Another process wrote to the run while it was read.
  case changedRun(name: String)
  /// - Parameter problem: includes its remedy.
  case unusable(path: String, problem: String)
  /// A store of which another error says what is wrong.
  case failed(path: String, cause: Cause)
  case missing(path: String)
  case diskFull(path: String)
  case merge(path: String, problem: String)

  private static let empty = "the store has no runs; run a plan first: choir-eval run PLAN"

  public var description: String {
    switch self {
    case .unknownRun(nil, _): Self.empty
    case .unknownRun(let name?, let known):
      "there is no run '\(name)'; "
        + (known.isEmpty ? Self.empty : "the store has \(known.joined(separator: ", "))")
    case .changedRun(let name): "the run '\(name)' changed while it was read; try again"
    case .unusable(let path, let problem), .merge(let path, let problem): "\(path): \(problem)"
    case .failed(let path, let cause): "\(path): \(cause)"
    case .missing(let path):
      "there is no store \(path); run a plan into it first (choir-eval run PLAN), or choose "
        + "another with --store"
    case .diskFull(let path):
      "\(path): the disk is full; free some space and run again: stored cells are not computed again"
    }
  }
}
