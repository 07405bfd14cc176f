import Foundation
import Platform

/// A git repository's working tree, read by the command `git`.
public struct GitRepository: Sendable {
  /// The top folder of the working tree.
  public let root: URL

  /// Finds the repository of a file or folder.
  public init(containing file: URL) throws {
    let isFolder = FileStatus(file.path)?.isFolder == true
    let folder = isFolder ? file : file.deletingLastPathComponent()
    do {
      let top = try Self.run(["rev-parse", "--show-toplevel"], in: folder)
      root = URL(fileURLWithPath: top.trimmingCharacters(in: .newlines), isDirectory: true)
    } catch ChildProcess.Failure.exited {
      throw Refusal(
        "\(file.relativePath) is not in a git repository, so there is no other revision of it; "
          + "commit it first: git init && git add . && git commit")
    } catch {
      throw Refusal("git can't be run: \(error); install it: apt-get install git")
    }
  }

  // MARK: Commits

  /// Finds the commit of a branch, a tag, a hash or an expression such as `main~3`.
  public func commit(_ reference: String) throws -> Commit {
    let name = "\(reference)^{commit}"
    guard !reference.isEmpty, !reference.hasPrefix("-"),
      let id = try? git("rev-parse", "--verify", "--quiet", name),
      let text = try? git("show", "--no-patch", Self.format, id.firstLine, "--")
    else {
      throw isShallow
        ? Refusal(
          "the repository \(root.path) is a shallow clone and does not hold '\(reference)'; fetch the "
            + "history: git fetch --unshallow, or check out with fetch-depth: 0 (GIT_DEPTH: 0)")
        : Refusal(
          "the repository \(root.path) has no commit '\(reference)'; name a branch, tag or commit, or "
            + "fetch it: git fetch")
    }
    return Self.commits(in: text)[0]
  }

  /// Returns the commits after `good` up to `bad`, the oldest first, along first parents.
  public func commits(after good: Commit, upTo bad: Commit) throws -> [Commit] {
    do { _ = try git("merge-base", "--is-ancestor", good.id, bad.id) } catch {
      throw Refusal(
        "\(good.short) is not before \(bad.short) in the history, so no commit between them is the "
          + "first bad one; choose a good commit that the bad one descends from: git merge-base "
          + "\(good.short) \(bad.short)"
      )
    }
    let along = Self.commits(
      in: try git("log", "--first-parent", "--reverse", Self.format, "\(good.id)..\(bad.id)", "--")
    )
    return along
  }

  /// Hash, time of the committer and title, a line each.
  private static let format = "--format=%H%n%ct%n%s"

  private static func commits(in text: String) -> [Commit] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return stride(from: 0, to: lines.count - 2, by: 3).map {
      Commit(
        id: lines[$0],
        date: Date(timeIntervalSince1970: Double(lines[$0 + 1]) ?? 0).ISO8601Format(),
        title: lines[$0 + 2])
    }
  }

  var isShallow: Bool { (try? git("rev-parse", "--is-shallow-repository"))?.firstLine == "true" }

  // MARK: Files

  /// Tracked files with uncommitted changes.
  public func changedFiles() throws -> [String] {
    // A file that was renamed has changed under both names.
    try git("diff", "--name-only", "--no-renames", "-z", "HEAD", "--")
      .split(separator: "\0").map(String.init)
  }

  /// Returns a file's path below the top folder; throws if it is elsewhere.
  public func path(of file: URL) throws -> String {
    let (top, real) = (Self.real(root), Self.real(file))
    guard real.hasPrefix(top + "/") else {
      throw Refusal(
        "\(file.relativePath) is not in the repository \(root.path), so no other revision has it; "
          + "move it there"
      )
    }
    return String(real.dropFirst(top.count + 1))
  }

  private static func real(_ url: URL) -> String {
    url.standardizedFileURL.resolvingSymlinksInPath().path
  }

  /// Returns the text of a file at a commit; `nil` if the commit does not have it.
  public func text(of path: String, at commit: Commit) throws -> String? {
    guard (try? git("cat-file", "-e", "\(commit.id):\(path)")) != nil else { return nil }
    return try git("show", "\(commit.id):\(path)")
  }

  /// Returns the former path of a file that was renamed since a commit; `nil` if it was not.
  public func earlierPath(of path: String, at commit: Commit) -> String? {
    let text = try? git(
      "diff", "--find-renames=40%", "--diff-filter=R", "--name-status", "-z", commit.id, "HEAD",
      "--"
    )
    let words = (text ?? "").split(separator: "\0").map(String.init)
    return stride(from: 0, to: words.count - 2, by: 3).first { words[$0 + 2] == path }
      .map { words[$0 + 1] }
  }

  /// True if git merges a file by keeping the lines of both sides.
  public func mergesByUnion(_ file: URL) throws -> Bool {
    try git("check-attr", "merge", "--", path(of: file)).hasSuffix(": union\n")
  }

  // MARK: The command

  @discardableResult
  func git(_ words: String...) throws -> String {
    do { return try Self.run(words, in: root) } catch let failure as ChildProcess.Failure {
      // An option of git itself, with its value, may stand before the command.
      let command = words.first?.hasPrefix("-") == true ? words.dropFirst(2).first : words.first
      throw Refusal(
        "git \(command ?? "") failed in \(root.path): \(failure); correct the cause and run it again"
      )
    }
  }

  /// Variables that would make git look at another repository, as they do within its hooks.
  private static let foreign = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
    "GIT_PREFIX", "GIT_NAMESPACE",
  ]

  /// The environment of git and of builds.
  static var environment: [String: String] {
    ChildEnvironment.ofThisProcess.filter { !foreign.contains($0.key) }
      .merging(["GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"]) { $1 }
  }

  private static func run(_ words: [String], in folder: URL) throws -> String {
    // People may have git print signatures before each commit.
    try ChildProcess(
      arguments: ["git", "-c", "log.showSignature=false"] + words, timeoutSeconds: 600, memoryMB: 0,
      fileMB: 0, folder: folder,
      environment: environment, outputBytes: 16_000_000
    ).run().text
  }
}

extension String {
  var firstLine: String { String(prefix { !$0.isNewline }) }
}

/// A commit of a git repository.
public struct Commit: Codable, Hashable, Sendable {
  /// The full hash.
  public var id: String
  /// The committer's date in UTC, such as `2026-01-31T12:00:00Z`.
  public var date: String
  /// First line of the message.
  public var title: String

  /// The first twelve digits of the hash.
  public var short: String { String(id.prefix(12)) }

  /// Text such as `0123456789ab (2026-01-31, Longer window)`.
  public var words: String { "\(short) (\(date.prefix(10)), ‘\(title)’)" }
}
