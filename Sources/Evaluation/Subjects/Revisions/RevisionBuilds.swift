import Foundation
import Platform

/// A revision that was checked out and built. No process removes it as long as a copy of this lives.
public struct BuiltRevision: Sendable {
  public let commit: Commit
  /// The top folder of its files.
  public let folder: URL
  /// True if it was built earlier.
  public let wasBuilt: Bool
  let use: FolderUse
}

/// The folder for what was measured of a build. No process removes it as long as a copy of this lives.
public struct KeptMeasurements: Sendable {
  public let folder: URL
  let use: FolderUse
}

/// Builds of a repository's revisions, kept in a folder so that each is built once.
///
/// Several processes may use the folder: none removes or builds what another one uses. A build that was
/// interrupted is removed by the next one, with git's record of its worktree.
public struct RevisionBuilds: Sendable {
  public let repository: GitRepository
  /// Folder of this repository's builds.
  public let folder: URL
  /// Number of builds to keep; the least recently used ones are removed.
  public var most = 24

  /// The folder for all repositories, unless the user chooses another.
  public static var defaultFolder: URL {
    let environment = ChildEnvironment.ofThisProcess
    let caches =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache").path
    return URL(fileURLWithPath: caches).appendingPathComponent("choir-eval/revisions")
  }

  /// - Parameter folder: folder for all repositories.
  public init(of repository: GitRepository, in folder: URL = defaultFolder) throws {
    self.repository = repository
    let root = repository.root.resolvingSymlinksInPath()
    let name = "\(root.lastPathComponent)-\(Digest.sha256(root.path).prefix(8))"
    // Git writes the real path into its records.
    let real = folder.absoluteURL.resolvingSymlinksInPath()
    self.folder = real.appendingPathComponent(name, isDirectory: true)
    try Self.create(self.folder.appendingPathComponent("builds"))
    removeLeftovers()
  }

  /// Returns a revision's build, made now if it is not there yet.
  ///
  /// - Parameters:
  ///   - command: shell lines, run in the top folder of the checkout.
  ///   - isCancelled: ends the build once it returns true.
  ///   - report: called before a build.
  public func build(
    _ commit: Commit, by command: String,
    isCancelled: (@Sendable () -> Bool)? = nil, report: (String) -> Void = { _ in }
  ) throws -> BuiltRevision {
    let place = self.place(of: commit, command)
    let (tree, done) = (tree(in: place), place.appendingPathComponent("built"))
    func isBuilt() -> Bool { FileManager.default.fileExists(atPath: done.path) }
    let use = try FolderUse(of: place)
    var wasBuilt = true
    while !isBuilt() {
      use.waitUntilAlone()
      defer { use.share() }
      guard !isBuilt() else { break }
      report("building \(commit.words)")
      try make(commit, by: command, in: place, isCancelled)
      try Data("\(commit.id)\n\(command)\n".utf8).write(to: done)
      wasBuilt = false
    }
    if wasBuilt { Self.touch(place) } else { remove(oldestOf: place.deletingLastPathComponent()) }
    return BuiltRevision(commit: commit, folder: tree, wasBuilt: wasBuilt, use: use)
  }

  /// Checks a revision out and builds it; leaves nothing but the log if it does not build.
  private func make(
    _ commit: Commit, by command: String, in place: URL, _ isCancelled: (@Sendable () -> Bool)?
  ) throws {
    let tree = tree(in: place)
    try Self.create(place)
    Worktree.remove(tree)
    try Worktree.check(out: commit, of: repository, at: tree)
    do {
      try Self.run(
        command, in: tree, log: place.appendingPathComponent("build.log"),
        what: "the revision \(commit.words)", isCancelled: isCancelled)
    } catch {
      Worktree.remove(tree)
      throw error
    }
    Worktree.forget(tree)
  }

  /// Builds the working tree itself by the same command.
  public func buildHere(by command: String, isCancelled: (@Sendable () -> Bool)? = nil) throws {
    try Self.run(
      command, in: repository.root, log: folder.appendingPathComponent("here.log"),
      what: "the working tree", isCancelled: isCancelled)
  }

  /// Returns the folder for what was measured of a build, by its content; creates it.
  ///
  /// - Parameter content: a text that differs whenever the sound may.
  public func measurements(of content: String) throws -> KeptMeasurements {
    let all = folder.appendingPathComponent("measured")
    let one = all.appendingPathComponent(String(Digest.sha256(content).prefix(16)))
    try Self.create(all)
    let use = try FolderUse(of: one)
    try Self.create(one)
    Self.touch(one)
    remove(oldestOf: all)
    return KeptMeasurements(folder: one, use: use)
  }

  // MARK: Folders

  private func place(of commit: Commit, _ command: String) -> URL {
    folder.appendingPathComponent("builds/\(commit.short)-\(Digest.sha256(command).prefix(8))")
  }

  private func tree(in place: URL) -> URL {
    place.appendingPathComponent("choir-eval-\(place.lastPathComponent)", isDirectory: true)
  }

  private static func create(_ folder: URL) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch { throw Refusal.cache(path: folder.path, reason: error.localizedDescription) }
  }

  /// Marks a folder as the one used last.
  private static func touch(_ folder: URL) {
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder.path)
  }

  /// Removes unfinished builds of processes that were killed.
  private func removeLeftovers() {
    for place in contents(of: folder.appendingPathComponent("builds")) {
      let done = place.appendingPathComponent("built")
      guard !FileManager.default.fileExists(atPath: done.path),
        FileManager.default.fileExists(atPath: tree(in: place).path),
        let use = FolderUse(alone: place)
      else { continue }
      Worktree.remove(tree(in: place))
      withExtendedLifetime(use) {}
    }
  }

  private func remove(oldestOf parent: URL) {
    func date(_ url: URL) -> Date {
      (try? url.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate
        ?? .distantPast
    }
    let sorted = contents(of: parent).map { ($0, date($0)) }.sorted { $0.1 > $1.1 }
    for (place, _) in sorted.dropFirst(most) {
      guard let use = FolderUse(alone: place) else { continue }
      try? FileManager.default.removeItem(at: place)
      withExtendedLifetime(use) {}
    }
  }

  private func contents(of folder: URL) -> [URL] {
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (all ?? []).filter { !$0.path.hasSuffix(FolderUse.suffix) }
  }

  // MARK: Building

  /// Longest build, in seconds.
  private static let maxBuildSeconds = 7200.0

  private static func run(
    _ command: String, in folder: URL, log: URL, what: String,
    isCancelled: (@Sendable () -> Bool)?
  ) throws {
    var child = ChildProcess(
      // Any failing line fails the build; both outputs go to the log.
      arguments: ["sh", "-c", "exec >\"$1\" 2>&1\nset -e\n\(command)", "sh", log.path],
      timeoutSeconds: maxBuildSeconds, memoryMB: 0, fileMB: 0, folder: folder,
      environment: GitRepository.environment)
    child.isCancelled = isCancelled
    do { _ = try child.run() } catch let failure as ChildProcess.Failure {
      let said = (try? GivenFile.text(at: log)) ?? ""
      let last = said.split(whereSeparator: \.isNewline).suffix(2).joined(separator: " / ")
      throw Refusal(
        "\(what) does not build: '\(command.trimmingCharacters(in: .whitespacesAndNewlines))' in "
          + "\(folder.path) \(Self.words(failure, last.printable)); read \(log.path), correct 'build' "
          + "in the gate, or choose another revision")
    }
  }

  private static func words(_ failure: ChildProcess.Failure, _ last: String) -> String {
    let said = last.isEmpty ? "" : ": \(last.suffix(300))"
    return switch failure {
    case .exited(let code, _): "exits with \(code)\(said)"
    case .hung(let seconds): "still runs after \(Int(seconds)) s"
    default: "ends: \(failure)\(said)"
    }
  }
}
