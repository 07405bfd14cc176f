import Foundation
import TestSupport
import Testing

/// The digest of the sources that a build notes.
@Suite struct NoteCommitTests {
  private let scratch = try! TemporaryFolder()

  /// Returns the noted commit and digest of a package whose sources lie in the folders A and B.
  private func noted(_ package: String) throws -> [Substring] {
    let output = scratch.file("Commit.swift")
    let folder = scratch.file(package).path
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      Repository.file("Plugins/NoteCommit/note-commit.sh").path, folder, output.path,
      "\(folder)/Sources/A", "\(folder)/Sources/B c",
    ]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    let text = try String(contentsOf: output, encoding: .utf8)
    return text.matches(of: /"([^"]*)"/).map(\.output.1)
  }

  private func write(_ package: String) throws {
    try scratch.write("let a = 1", to: "\(package)/Sources/A/a.swift")
    try scratch.write("let b = 1", to: "\(package)/Sources/B c/b d.swift")
    try scratch.write("let c = 1", to: "\(package)/Sources/C/c.swift")
  }

  /// Without git, and in another folder, the digest is the same.
  @Test func theDigestIsThatOfNamesAndContents() throws {
    try write("one")
    try write("two")
    let first = try noted("one")
    #expect(first[0] == "unknown" && first[1].count == 64)
    #expect(try noted("two") == first)
    try scratch.write("let c = 2", to: "two/Sources/C/c.swift")
    try scratch.write("# Notes", to: "two/Sources/A/A.docc/A.md")
    #expect(try noted("two") == first)
    try scratch.write("let b = 2", to: "two/Sources/B c/b d.swift")
    #expect(try noted("two")[1] != first[1])
    try FileManager.default.moveItem(
      at: scratch.file("one/Sources/A/a.swift"), to: scratch.file("one/Sources/A/b.swift"))
    #expect(try noted("one")[1] != first[1])
  }
}
