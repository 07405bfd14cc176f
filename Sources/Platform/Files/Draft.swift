import Foundation

/// Files prepared in a hidden folder and moved to their places together: all or none, even if the
/// process is killed.
///
/// The folder, `.NAME.draft-UUID`, stays locked as long as its process lives, and only its user can
/// open it. Publishing writes a journal of the moves first. The next process of the same user that
/// opens the same parent folder finishes the moves of a dead draft with a journal, and removes a dead
/// draft without one. Drafts of other users stay untouched.
public final class Draft: @unchecked Sendable {
  /// The folder to prepare files in.
  public var folder: URL { home.appendingPathComponent("files") }
  /// Holds the files, the lock, the journal and the replaced files.
  private let home: URL
  private let root: URL
  private var lock: FileLock?
  /// Folders that this draft created, the innermost first. `discard` removes the empty ones.
  private var madeFolders: [URL] = []

  /// A prepared file or folder, and its place.
  public struct Move: Codable, Equatable, Sendable {
    /// The path below the draft's `folder`.
    public var from: String
    /// The path below the root.
    public var to: String

    public init(from: String, to: String) { (self.from, self.to) = (from, to) }
  }

  /// Creates and locks the hidden folder; first recovers the dead drafts of the same parent.
  ///
  /// - Parameters:
  ///   - name: tells people what the hidden folder is for; may be empty.
  ///   - parent: the folder to prepare it in, on the same disk as the root; created if missing.
  ///   - root: the folder of all places.
  public init(_ name: String = "", in parent: URL, of root: URL) throws {
    self.root = root
    let prefix = name.isEmpty ? "." : ".\(name)."
    home = parent.appendingPathComponent("\(prefix)\(Self.mark)\(UUID().uuidString)")
    madeFolders = [parent, root].filter { !Self.exists($0) }
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    // Until the new folder has its lock, another process would take it for a dead draft.
    let gate = try FolderLock(parent)
    defer { withExtendedLifetime(gate) {} }
    Self.settle(parent, of: root)
    // Private from its first moment: a draft that others could change is nobody's to recover.
    guard mkdir(home.path, 0o700) == 0 else { throw Self.failure(errno) }
    let file = home.appendingPathComponent(Self.lockFile)
    try Data().write(to: file)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    lock = FileLock(file)
  }

  deinit { discard() }

  /// Removes the files that were not published.
  public func discard() {
    guard lock != nil else { return }
    try? FileManager.default.removeItem(at: home)
    for folder in madeFolders { rmdir(folder.path) }
    lock = nil
  }

  /// Moves files to their places in the order given and replaces what is there. If a move fails, the
  /// moves before it are undone.
  ///
  /// - Parameter moves: returns the moves; no other draft of the same parent is published meanwhile.
  public func publish(_ moves: () throws -> [Move]) throws {
    let gate = try FolderLock(home.deletingLastPathComponent())
    defer { withExtendedLifetime(gate) {} }
    let moves = try moves()
    try Journal(moves, of: home).write(to: home)
    for (index, move) in moves.enumerated() {
      do { try place(move, index) } catch {
        for (index, move) in moves.enumerated().prefix(index + 1).reversed() { undo(move, index) }
        try? FileManager.default.removeItem(at: Journal.file(in: home))
        throw error
      }
    }
  }

  // MARK: - Recovery

  /// Finishes or removes the drafts of this user's killed processes; drafts of running processes stay.
  public static func recover(in parent: URL, of root: URL) {
    // Without drafts, a reader needs neither a lock nor write access.
    guard !drafts(in: parent).isEmpty, let gate = try? FolderLock(parent) else { return }
    settle(parent, of: root)
    withExtendedLifetime(gate) {}
  }

  private static func settle(_ parent: URL, of root: URL) {
    for home in drafts(in: parent) {
      let file = home.appendingPathComponent(lockFile)
      let isLocked = FileStatus(ofLink: file.path) != nil
      guard let lock = isLocked ? FileLock(file) : nil else {
        if !isLocked { try? FileManager.default.removeItem(at: home) }
        continue
      }
      let draft = Draft(found: home, root, lock)
      if let journal = Journal(of: home) {
        do {
          for (i, move) in journal.moves.enumerated() {
            guard draft.leadsThroughNoForeignLink(move) else {
              throw CocoaError(.fileWriteNoPermission)
            }
            try draft.place(move, i)
          }
        } catch {
          draft.lock = nil  // It stays for a process that may write here.
          continue
        }
      }
      draft.discard()
    }
  }

  /// True if this user made every link on the way from the root to the move's place, so that nobody
  /// else chose where it leads.
  private func leadsThroughNoForeignLink(_ move: Move) -> Bool {
    var here = root
    return move.to.split(separator: "/").dropLast().allSatisfy { name in
      here.appendPathComponent(String(name))
      guard let status = FileStatus(ofLink: here.path) else { return true }
      return status.kind != S_IFLNK || status.isOwn
    }
  }

  private init(found home: URL, _ root: URL, _ lock: FileLock) {
    (self.home, self.root, self.lock) = (home, root, lock)
  }

  /// Returns the drafts that this user made and nobody else can change.
  private static func drafts(in parent: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    return names.filter { name in
      guard name.hasPrefix("."), let mark = name.range(of: mark, options: .backwards) else {
        return false
      }
      return name[..<mark.lowerBound].hasSuffix(".")
        && UUID(uuidString: String(name[mark.upperBound...])) != nil
    }.map(parent.appendingPathComponent).filter { home in
      FileStatus(ofLink: home.path).map { $0.kind == S_IFDIR && $0.isPrivate } ?? false
    }
  }

  private static let mark = "draft-"
  private static let lockFile = "lock"

  // MARK: - Moving

  /// Makes one move; does nothing if it is already done.
  private func place(_ move: Move, _ index: Int) throws {
    let (source, target) = (folder.appendingPathComponent(move.from), place(of: move))
    guard Self.exists(source) else { return }
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    let replaced = replaced(index)
    if Self.isFolder(target) {
      try Self.rename(target, replaced)
    } else if Self.exists(target), !Self.exists(replaced) {
      // A second name for the old file, to restore it by.
      if link(target.path, replaced.path) != 0 {
        try? FileManager.default.copyItem(at: target, to: replaced)
      }
    }
    try Self.rename(source, target)
  }

  private func undo(_ move: Move, _ index: Int) {
    let (source, target) = (folder.appendingPathComponent(move.from), place(of: move))
    if !Self.exists(source) { try? Self.rename(target, source) }
    if Self.exists(replaced(index)) { try? Self.rename(replaced(index), target) }
  }

  private func place(of move: Move) -> URL { root.appendingPathComponent(move.to) }

  private func replaced(_ index: Int) -> URL {
    home.appendingPathComponent("replaced-\(index)")
  }

  private static func rename(_ source: URL, _ target: URL) throws {
    if Foundation.rename(source.path, target.path) == 0 { return }
    let reason = errno
    guard reason == EXDEV, !isFolder(source) else {
      throw failure(reason)
    }
    try WholeFile.write(GivenFile.data(at: source), to: target.path)
    try FileManager.default.removeItem(at: source)
  }

  private static func failure(_ code: Int32) -> NSError {
    NSError(
      domain: NSPOSIXErrorDomain, code: Int(code),
      userInfo: [NSLocalizedFailureReasonErrorKey: String(cString: strerror(code))])
  }

  /// True if there is a file, a folder or a link, even one that leads nowhere.
  private static func exists(_ url: URL) -> Bool { FileStatus(ofLink: url.path) != nil }

  private static func isFolder(_ url: URL) -> Bool {
    FileStatus(ofLink: url.path)?.kind == S_IFDIR
  }

  // MARK: - For tests

  /// Writes the journal and does only the first moves.
  func publishPart(_ moves: [Move], first count: Int) throws {
    try Journal(moves, of: home).write(to: home)
    for (index, move) in moves.prefix(count).enumerated() { try place(move, index) }
  }

  /// Leaves everything as a process that is killed now would.
  func abandon() { lock = nil }
}
