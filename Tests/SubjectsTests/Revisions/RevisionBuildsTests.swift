import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

@testable import Subjects

/// Builds of a repository whose program is a text that the build copies.
@Suite struct RevisionBuildsTests {
  private let toy: ToyRepository
  private let repository: GitRepository
  private let builds: RevisionBuilds

  init() throws {
    toy = try ToyRepository()
    for number in 0..<4 {
      try toy.write("\(number)", "source")
      try toy.commit("Number \(number)")
    }
    repository = try GitRepository(containing: toy.url)
    builds = try RevisionBuilds(of: repository, in: toy.folder.file("cache"))
  }

  private func text(_ built: BuiltRevision, _ name: String = "program") throws -> String {
    try String(contentsOf: built.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func aRevisionIsBuiltOnce() throws {
    let commit = try repository.commit("HEAD~2")
    let first = try builds.build(commit, by: "cp source program")
    #expect(try text(first) == "1" && !first.wasBuilt)
    #expect(try toy.worktrees().count == 1)
    // A second build would fail.
    try FileManager.default.removeItem(at: first.folder.appendingPathComponent("source"))
    let again = try RevisionBuilds(of: repository, in: toy.folder.file("cache"))
      .build(commit, by: "cp source program")
    #expect(try text(again) == "1" && again.wasBuilt)
    // Another command is another build.
    #expect(try !builds.build(commit, by: "cp source other").wasBuilt)
  }

  @Test func aBuildMayAskGitForItsCommit() throws {
    let commit = try repository.commit("HEAD~1")
    let built = try builds.build(commit, by: "git rev-parse HEAD > program")
    #expect(try text(built) == "\(commit.id)\n")
  }

  @Test func aFailingLineFailsTheBuildAndLeavesNothing() throws {
    let commit = try repository.commit("HEAD")
    let error = #expect(throws: Refusal.self) {
      try builds.build(commit, by: "echo told >&2\nfalse\ntrue")
    }
    #expect("\(try #require(error))".contains("exits with 1: told"))
    #expect(try toy.worktrees().count == 1)
    #expect(try !toy.folder.files(below: "cache").contains { $0.hasSuffix("/source") })
  }

  @Test func aCancelledBuildLeavesNothing() throws {
    let commit = try repository.commit("HEAD")
    let asked = Atomic(0)
    #expect(throws: Refusal.self) {
      try builds.build(
        commit, by: "sleep 600",
        isCancelled: { asked.add(1, ordering: .relaxed).newValue > 2 })
    }
    #expect(try toy.worktrees().count == 1)
    #expect(try !toy.folder.files(below: "cache").contains { $0.hasSuffix("/source") })
  }

  @Test func theLeftoversOfAKilledBuildAreRemoved() throws {
    let commit = try repository.commit("HEAD")
    let place = builds.folder.appendingPathComponent("builds/\(commit.short)-00000000")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let tree = place.appendingPathComponent("choir-eval-\(commit.short)-00000000")
    try Worktree.check(out: commit, of: repository, at: tree)
    #expect(try toy.worktrees().count == 2)
    _ = try RevisionBuilds(of: repository, in: toy.folder.file("cache"))
    #expect(try toy.worktrees().count == 1)
    #expect(!FileManager.default.fileExists(atPath: tree.path))
  }

  @Test func worktreesOfOthersAreLeftAlone() throws {
    let other = toy.folder.file("other")
    try toy.git("worktree", "add", "--quiet", "--detach", other.path)
    _ = try builds.build(try repository.commit("HEAD"), by: "true")
    #expect(try toy.worktrees().count == 2)
    #expect(FileManager.default.fileExists(atPath: other.appendingPathComponent("source").path))
  }

  @Test func theOldestBuildsAreRemovedUnlessTheyAreInUse() throws {
    var few = builds
    few.most = 2
    let inUse = try few.build(try repository.commit("HEAD"), by: "true")
    let measured = try few.measurements(of: "first")
    var folders: [URL] = []
    for number in 1..<4 {
      folders.append(try few.build(try repository.commit("HEAD~\(number)"), by: "true").folder)
      _ = try few.measurements(of: "\(number)")
    }
    func isThere(_ folder: URL) -> Bool { FileManager.default.fileExists(atPath: folder.path) }
    #expect(isThere(inUse.folder) && isThere(measured.folder))
    #expect(folders.map(isThere) == [false, true, true])
    // Another part of the process, or another process, may use it at the same time.
    #expect(try few.build(try repository.commit("HEAD"), by: "true").wasBuilt)
    withExtendedLifetime((inUse, measured)) {}
  }

  @Test func aFolderThatCantBeWrittenIsNamed() throws {
    try toy.folder.write("a file", to: "taken")
    #expect(throws: Refusal.self) {
      try RevisionBuilds(of: repository, in: toy.folder.file("taken"))
    }
  }
}
