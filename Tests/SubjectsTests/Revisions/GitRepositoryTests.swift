import EvaluationSupport
import Foundation
import Platform
import TestSupport
import Testing

@testable import Subjects

@Suite struct GitRepositoryTests {
  @Test func referencesAreResolved() throws {
    let toy = try ToyRepository()
    let first = try toy.commit("First")
    let second = try toy.commit("Second: a \"title\"")
    try toy.git("tag", "v1", first)
    let repository = try GitRepository(containing: toy.url.appendingPathComponent("mine.yaml"))
    #expect(try repository.commit("v1").id == first)
    #expect(try repository.commit("HEAD~1").id == first)
    #expect(try repository.commit("main").title == "Second: a \"title\"")
    #expect(try repository.commit(String(second.prefix(8))).id == second)
  }

  @Test func anUnknownReferenceIsNamed() throws {
    let toy = try ToyRepository()
    try toy.commit("First")
    let repository = try GitRepository(containing: toy.url)
    for name in ["nowhere", "", "--all", "HEAD~5"] {
      expectRefusal("has no commit '\(name)'") { try repository.commit(name) }
    }
  }

  @Test func aShallowCloneIsToldFromAWrongName() throws {
    let toy = try ToyRepository()
    try toy.commit("First")
    try toy.commit("Second")
    let clone = toy.folder.file("clone")
    try toy.git("clone", "--quiet", "--depth", "1", "file://\(toy.url.path)", clone.path)
    let repository = try GitRepository(containing: clone)
    expectRefusal("is a shallow clone and does not hold 'HEAD~1'") {
      try repository.commit("HEAD~1")
    }
    #expect(try repository.commit("HEAD").title == "Second")
  }

  @Test func aFolderOutsideARepositoryIsNamed() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Refusal.self) { try GitRepository(containing: folder.url) }
  }

  @Test func commitsAreListedFromTheOldest() throws {
    let toy = try ToyRepository()
    let ids = try (0..<4).map { try toy.commit("Number \($0)") }
    let repository = try GitRepository(containing: toy.url)
    let (good, bad) = (try repository.commit(ids[0]), try repository.commit(ids[3]))
    #expect(try repository.commits(after: good, upTo: bad).map(\.id) == Array(ids[1...]))
    expectRefusal("\(bad.short) is not before \(good.short)") {
      try repository.commits(after: bad, upTo: good)
    }
  }

  /// The half hour before midnight of UTC, in Karachi.
  @Test func datesAreInUTC() throws {
    let toy = try ToyRepository()
    try toy.commit("First")
    let amended = try ToyRepository.run(
      "env",
      [
        "GIT_COMMITTER_DATE=2026-01-02T04:30:00+05:00", "git", "-c", "user.name=Toy", "-c",
        "user.email=toy@example.org", "commit", "--quiet", "--amend", "--no-edit", "--allow-empty",
      ], in: toy.url)
    #expect(amended.status == 0, "\(amended.text)")
    let repository = try GitRepository(containing: toy.url)
    #expect(try repository.commit("HEAD").date == "2026-01-01T23:30:00Z")
  }

  /// A program that git calls to check signatures; its words must not be taken for a commit.
  @Test func signaturesAreNotShown() throws {
    let toy = try ToyRepository()
    try toy.commit("First")
    let second = try toy.commit("Second")
    try toy.git("config", "log.showSignature", "true")
    let repository = try GitRepository(containing: toy.url)
    #expect(try repository.commit("HEAD").title == "Second")
    #expect(try repository.git("config", "--get", "log.showSignature") == "false\n")
    #expect(
      try repository.commits(after: repository.commit("HEAD~1"), upTo: repository.commit("HEAD"))
        .map(\.id) == [second])
  }

  @Test func renamedFilesAreChangedUnderBothNames() throws {
    let toy = try ToyRepository()
    try toy.write("text\n", "eval/old name.yaml")
    try toy.commit("First")
    try toy.git("mv", "eval/old name.yaml", "eval/new name.yaml")
    let repository = try GitRepository(containing: toy.url)
    #expect(try repository.changedFiles() == ["eval/new name.yaml", "eval/old name.yaml"])
  }

  @Test func filesOfACommitAreRead() throws {
    let toy = try ToyRepository()
    try toy.write("id: mine\nkind: stream\ncommand: [cat]\n", "eval/old.yaml")
    try toy.commit("First")
    try toy.git("mv", "eval/old.yaml", "eval/new.yaml")
    try toy.commit("Rename")
    try toy.write("changed", "eval/new.yaml")
    let repository = try GitRepository(containing: toy.url)
    let first = try repository.commit("HEAD~1")
    #expect(try repository.text(of: "eval/old.yaml", at: first)?.hasPrefix("id: mine") == true)
    #expect(try repository.text(of: "eval/new.yaml", at: first) == nil)
    #expect(repository.earlierPath(of: "eval/new.yaml", at: first) == "eval/old.yaml")
    #expect(try repository.changedFiles() == ["eval/new.yaml"])
    #expect(throws: Refusal.self) {
      try repository.path(of: URL(fileURLWithPath: "/etc/passwd"))
    }
  }
}
