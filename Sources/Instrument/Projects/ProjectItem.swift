/// The kinds of a project's content. A name is unique within its kind.
public enum ProjectItem: String, CaseIterable, Codable, Sendable, CustomStringConvertible {
  case recording, preset, sequence, take

  public var description: String { rawValue }

  /// Folder of its files, and key of its list in `project.yaml`.
  public var folder: String { rawValue + "s" }
}
