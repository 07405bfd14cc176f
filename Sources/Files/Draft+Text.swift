import Foundation

extension Draft {
  /// Writes a file completely or not at all, even if the process is killed. Creates its folder.
  public static func write(_ text: String, to url: URL) throws {
    let (parent, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
    let draft = try Draft(name, in: parent, of: parent)
    defer { draft.discard() }
    try Data(text.utf8).write(to: draft.folder.appendingPathComponent(name))
    try draft.publish { [Move(from: name, to: name)] }
  }
}
