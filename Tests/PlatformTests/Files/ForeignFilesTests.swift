import Foundation
import TestSupport
import Testing

@testable import Platform

/// Nothing of this package follows a file of another user, or waits for a lock that another user may
/// hold. `PackageTests/FileAccessTests` sees to it that all of it goes through these types.
@Suite struct ForeignFilesTests {
  private let folder = try! TemporaryFolder()

  private static let isRoot = geteuid() == 0
  /// Any user but root.
  private static let stranger: uid_t = 65_534

  /// Leaves a draft with a journal that moves `evil` to `place`, as a killed process would.
  private func leaveDraft(movingTo place: String) throws -> URL {
    let draft = try Draft("x", in: folder.url, of: folder.url)
    try Data("evil".utf8).write(to: draft.folder.appendingPathComponent("evil"))
    try draft.publishPart([Draft.Move(from: "evil", to: place)], first: 0)
    draft.abandon()
    let name = try #require(folder.contents.first { $0.hasPrefix(".x.draft-") })
    return folder.file(name)
  }

  private func give(_ url: URL, to user: uid_t) throws {
    for path in [url.path]
      + (try FileManager.default.subpathsOfDirectory(atPath: url.path))
      .map({ url.appendingPathComponent($0).path })
    {
      try #require(lchown(path, user, user) == 0)
    }
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func aDraftOfAnotherUserIsLeftAlone() throws {
    let draft = try leaveDraft(movingTo: "target")
    try give(draft, to: Self.stranger)
    Draft.recover(in: folder.url, of: folder.url)
    try Draft("y", in: folder.url, of: folder.url).discard()
    #expect(folder.contents == [draft.lastPathComponent])
  }

  @Test func aDraftThatOthersCanChangeIsLeftAlone() throws {
    let draft = try leaveDraft(movingTo: "target")
    chmod(draft.path, 0o777)
    Draft.recover(in: folder.url, of: folder.url)
    #expect(folder.contents == [draft.lastPathComponent])
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func aLinkOfAnotherUserIsNotFollowed() throws {
    let victim = try TemporaryFolder()
    symlink(victim.url.path, folder.path("link"))
    try #require(lchown(folder.path("link"), Self.stranger, Self.stranger) == 0)
    _ = try leaveDraft(movingTo: "link/profile")
    Draft.recover(in: folder.url, of: folder.url)
    #expect(victim.contents.isEmpty)
  }

  /// Whoever may read a folder may lock it.
  @Test(.timeLimit(.minutes(1))) func nobodyElsesLockStopsADraft() throws {
    let descriptor = open(folder.url.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let draft = try Draft("x", in: folder.url, of: folder.url)
    try Data("new".utf8).write(to: draft.folder.appendingPathComponent("a"))
    try draft.publish { [Draft.Move(from: "a", to: "a")] }
    draft.discard()
    #expect(folder.contents == ["a"])
  }

  @Test(.timeLimit(.minutes(1))) func pipesInPlaceOfLocksAreNotWaitedFor() throws {
    let draft = try leaveDraft(movingTo: "target")
    unlink(draft.appendingPathComponent("lock").path)
    mkfifo(draft.appendingPathComponent("lock").path, 0o600)
    Draft.recover(in: folder.url, of: folder.url)
    #expect(FileLock(draft.appendingPathComponent("lock")) == nil)
    mkfifo(folder.path(".choir-eval-\(geteuid()).lock"), 0o600)
    #expect(throws: FolderLock.Foreign.self) { try FolderLock(folder.url) }
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func aLockFileOfAnotherUserIsRefused() throws {
    try folder.write("", to: ".choir-eval-0.lock")
    lchown(folder.path(".choir-eval-0.lock"), Self.stranger, Self.stranger)
    #expect(throws: FolderLock.Foreign.self) { try FolderLock(folder.url) }
    #expect(throws: FolderLock.Foreign.self) { try Draft("x", in: folder.url, of: folder.url) }
  }

  @Test func theLockOfAFolderIsExclusiveAndLeavesNothing() async throws {
    let url = folder.url
    let order = Order()
    let first = try FolderLock(url)
    let second = Task.detached {
      let lock = try FolderLock(url)
      order.note("second")
      withExtendedLifetime(lock) {}
    }
    try await Task.sleep(for: .milliseconds(100))
    order.note("first")
    withExtendedLifetime(first) {}
    _ = consume first
    try await second.value
    #expect(order.names == ["first", "second"])
    #expect(folder.contents.isEmpty)
  }

  private final class Order: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [String] = []
    var names: [String] { lock.withLock { noted } }
    func note(_ name: String) { lock.withLock { noted.append(name) } }
  }

  // MARK: Scratch folders

  @Test func aScratchFolderIsPrivate() throws {
    let scratch = try LockedFolder(in: folder.url)
    #expect(FileStatus(scratch.url.path)?.isPrivate == true)
    scratch.remove()
    #expect(folder.contents.isEmpty)
  }

  /// Dead folders go; living ones, those of others and links stay.
  @Test func onlyOwnDeadFoldersAreRemoved() throws {
    func makeFolder(_ name: String, _ mode: mode_t) throws {
      try folder.write("", to: "\(name)/lock")
      chmod(folder.path(name), mode)
    }
    try makeFolder("choir-eval-Dead01", 0o700)
    try makeFolder("choir-eval-Open02", 0o755)
    try makeFolder("choir-eval-other-name", 0o700)
    symlink("choir-eval-other-name", folder.path("choir-eval-Link03"))
    var staying = ["choir-eval-Link03", "choir-eval-Open02", "choir-eval-other-name"]
    if Self.isRoot {
      try makeFolder("choir-eval-Other4", 0o700)
      lchown(folder.path("choir-eval-Other4"), Self.stranger, Self.stranger)
      staying.append("choir-eval-Other4")
    }
    let living = try LockedFolder(in: folder.url)
    let next = try LockedFolder(in: folder.url)
    staying += [living, next].map(\.url.lastPathComponent)
    #expect(folder.contents == staying.sorted())
  }

  @Test func aMissingFolderIsNotMade() {
    #expect {
      try LockedFolder(in: folder.file("none"))
    } throws: { error in
      "\(error)".contains("TMPDIR") && "\(error)".contains("No such file")
    }
    #expect(folder.contents.isEmpty)
  }
}
