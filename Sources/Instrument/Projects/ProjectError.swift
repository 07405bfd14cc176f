import Platform

/// A failure to create, read, change or export a project. Each description names the place and ends
/// with a remedy.
public enum ProjectError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A name that no project or item can have.
  case name(String, problem: String)
  case exists(ProjectName, folder: String)
  case missing(String, folder: String, others: [String])
  case itemExists(ProjectItem, ProjectName, project: ProjectName)
  case itemMissing(ProjectItem, String, project: ProjectName, others: [String])
  /// An item that takes need.
  case inUse(ProjectItem, ProjectName, takes: [ProjectName])
  /// A `project.yaml` that can't be read; the problem has the line.
  case damaged(path: String, problem: String)
  /// A file of the project that is not there.
  case fileMissing(path: String, ProjectItem, ProjectName)
  /// A take whose parts do not fit together or can't be rendered.
  case take(ProjectName, problem: Cause)
  /// A file to add that can't be used.
  case content(path: String, problem: Cause)
  case unwritable(path: String, reason: String)
  case fileExists(path: String)
  /// A format that can't be written.
  case format(String, problem: String)

  public var description: String {
    switch self {
    case .name(let name, let problem): "the name '\(String(name.prefix(60)).printable)' \(problem)"
    case .exists(let name, let folder):
      "there is already a project '\(name)' in \(folder); choose another name, or rename or remove "
        + "that one"
    case .missing(let name, let folder, let others):
      "there is no project '\(name.printable)' in \(folder)"
        + (others.isEmpty
          ? ", which has no projects; create it first, or name another folder"
          : "; it has \(Self.list(others))")
    case .itemExists(let item, let name, let project):
      "\(project) already has a \(item) '\(name)'; choose another name, or rename or remove that one"
    case .itemMissing(let item, let name, let project, let others):
      "\(project) has no \(item) '\(name.printable)'; "
        + (others.isEmpty ? "add it first" : "it has \(Self.list(others))")
    case .inUse(let item, let name, let takes):
      "the \(item) '\(name)' is used by \(takes.count == 1 ? "the take" : "the takes") "
        + "\(Self.list(takes.map(\.description))); remove \(takes.count == 1 ? "it" : "them") first"
    case .damaged(let path, let problem): "\(path): \(problem)"
    case .fileMissing(let path, let item, let name):
      "\(path) is missing, the file of the \(item) '\(name)'; put it back, or remove the \(item)"
    case .take(let name, let problem): "the take '\(name)': \(problem)"
    case .content(let path, let problem):
      "\(problem)".hasPrefix(path) ? "\(problem)" : "\(path): \(problem)"
    case .unwritable(let path, let reason):
      "\(path) can't be written: \(reason); nothing was changed. Check the folder, its permissions "
        + "and the free space"
    case .fileExists(let path): "\(path) exists; export to another folder, or replace it"
    case .format(let format, let problem): "\(format): \(problem)"
    }
  }

  /// Returns up to eight names.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}
