import Foundation
import Subjects

/// The commit from which a run was measured.
public struct RunSource: Codable, Equatable, Sendable {
  /// The full hash of the commit that was checked out when the run began.
  public var commit: String
  /// Tracked files that differed from it.
  public var changedFiles: [String]

  /// Looks into the repository of an external subject's file, or of the working folder for subjects of
  /// this package.
  ///
  /// - Returns: `nil` outside of a repository.
  static func now(of subjects: some Sequence<any Subject>) -> RunSource? {
    let folder =
      subjects.lazy.compactMap { $0.external?.folder }.first
      ?? URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    guard let repository = try? GitRepository(containing: folder),
      let commit = try? repository.commit("HEAD"), let changed = try? repository.changedFiles()
    else { return nil }
    return RunSource(commit: commit.id, changedFiles: changed)
  }
}
