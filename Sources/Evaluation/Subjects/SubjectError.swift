import Platform

/// A subject that can't be read or run.
public enum SubjectError: Error, Equatable, CustomStringConvertible {
  /// Settings or a file that are invalid.
  ///
  /// - Parameter subject: its id, or the path of its file.
  case settings(subject: String, problem: String)
  /// Settings, a file or a program of which another error says what is wrong.
  case failed(subject: String, cause: Cause)

  public var description: String {
    switch self {
    case .settings(let subject, let problem): "\(subject): \(problem)"
    case .failed(let subject, let cause): "\(subject): \(cause)"
    }
  }
}
