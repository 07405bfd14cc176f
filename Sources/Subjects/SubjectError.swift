/// A subject that can't do what is asked of it.
public enum SubjectError: Error, Equatable, CustomStringConvertible {
  /// - Parameter subject: its id, or the path of its file.
  case settings(subject: String, problem: String)

  public var description: String {
    switch self {
    case .settings(let subject, let problem): "\(subject): \(problem)"
    }
  }
}
