import Foundation
import Platform

/// A checkout of one commit in a folder of its own.
///
/// Git lists it as a worktree only while it is built: then builds may ask git for the commit. After
/// that the folder keeps its files, and the repository knows nothing of it.
enum Worktree {
  /// Checks out a commit, with its submodules.
  ///
  /// - Parameter folder: must not exist.
  static func check(out commit: Commit, of repository: GitRepository, at folder: URL) throws {
    do {
      // Hooks of the repository are for people's checkouts.
      try repository.git(
        "-c", "core.hooksPath=/dev/null", "worktree", "add", "--detach", "--quiet", folder.path,
        commit.id)
      let submodules = folder.appendingPathComponent(".gitmodules")
      if FileManager.default.fileExists(atPath: submodules.path) {
        try repository.git(
          "-C", folder.path, "submodule", "update", "--init", "--recursive", "--quiet")
      }
    } catch {
      remove(folder)
      throw error
    }
  }

  /// Makes git forget a worktree and keeps its files.
  static func forget(_ folder: URL) {
    let link = folder.appendingPathComponent(".git")
    guard let text = try? GivenFile.text(at: link),
      text.hasPrefix("gitdir: ")
    else { return }
    let record = URL(fileURLWithPath: String(text.firstLine.dropFirst("gitdir: ".count)))
    // Only a record of this very folder is removed.
    let back = try? GivenFile.text(at: record.appendingPathComponent("gitdir"))
    if back?.firstLine == link.path,
      record.deletingLastPathComponent().lastPathComponent == "worktrees"
    {
      try? FileManager.default.removeItem(at: record)
    }
    try? FileManager.default.removeItem(at: link)
  }

  /// Removes a worktree with its files.
  static func remove(_ folder: URL) {
    forget(folder)
    try? FileManager.default.removeItem(at: folder)
  }
}
