import Foundation

/// A git repository in a temporary folder that is removed with the object.
package final class ToyRepository {
  package let folder: TemporaryFolder
  package var url: URL { folder.file("repository") }
  private static let who = ["-c", "user.name=Toy", "-c", "user.email=toy@example.org"]
  /// The second of the last commit, since the beginning of 2026.
  private var second = 0

  package init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try git("init", "--quiet", "--initial-branch=main")
  }

  package func write(_ text: String, _ name: String) throws {
    try folder.write(text, to: "repository/\(name)")
  }

  /// Commits all files, a second after the last commit; returns the hash.
  @discardableResult
  package func commit(_ title: String) throws -> String {
    try git("add", "--all")
    second += 1
    let date = "@\(1_767_225_600 + second) +0000"
    let answer = try Self.run(
      "env",
      ["GIT_COMMITTER_DATE=\(date)", "GIT_AUTHOR_DATE=\(date)", "git"] + Self.who
        + ["commit", "--quiet", "--allow-empty", "--message", title], in: url)
    guard answer.status == 0 else { throw Failure(words: ["commit", title], said: answer.text) }
    return try git("rev-parse", "HEAD")
  }

  /// The folders that git lists as worktrees.
  package func worktrees() throws -> [String] {
    try git("worktree", "list", "--porcelain").split(separator: "\n")
      .filter { $0.hasPrefix("worktree ") }.map(String.init)
  }

  @discardableResult
  package func git(_ words: String...) throws -> String {
    let answer = try Self.run("git", Self.who + words, in: url)
    guard answer.status == 0 else { throw Failure(words: words, said: answer.text) }
    return answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  package struct Failure: Error {
    var words: [String]
    var said: String
  }

  /// Runs a program; returns its exit code and both outputs as one text.
  package static func run(
    _ program: String, _ words: [String], in folder: URL
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + words
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
