import Foundation

/// An exclusive lock on a file or folder. It ends with its owner or with the process, even a killed
/// one; child processes don't inherit it.
package final class FileLock: Sendable {
  private let file: FileDescriptor

  /// Locks a file or folder, unless another process has locked it. Links are not followed.
  ///
  /// Whoever may read a file may hold its lock for ever, so nothing waits for it. `FolderLock` waits.
  ///
  /// - Returns: `nil` if another process holds it, or if the file system has no locks.
  package init?(_ url: URL) {
    let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    // Network file systems lock only files open for writing; folders can't be opened so.
    var descriptor = open(url.path, O_RDWR | flags)
    if descriptor < 0 { descriptor = open(url.path, O_RDONLY | flags) }
    guard descriptor >= 0 else { return nil }
    file = FileDescriptor(descriptor)
    guard file.isOfKind(S_IFREG, S_IFDIR), flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      return nil
    }
  }
}

/// The right to change a folder, which one process of a user has at a time; others of the same user
/// wait. Different users don't exclude each other.
///
/// The lock is on a hidden file that only this user can open, so nobody else can hold it. The file
/// is removed with the lock.
package final class FolderLock: Sendable {
  /// A lock file that another user made.
  package struct Foreign: Error, CustomStringConvertible {
    let path: String

    package var description: String {
      "\(path) is the lock file of this user, but others can open it; remove it, or write to "
        + "another folder"
    }
  }

  private let folder: FileDescriptor
  private let file: FileDescriptor

  /// Takes the lock.
  ///
  /// - Parameter waits: true to wait for another process of this user.
  /// - Returns: `nil` if another process holds it and `waits` is false, if the folder can't be
  ///   written, or if its file system has no locks.
  package init?(_ url: URL, waits: Bool = true) throws(Foreign) {
    let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    folder = FileDescriptor(descriptor)
    let foreign = Foreign(path: url.appendingPathComponent(Self.name).path)
    while true {
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let descriptor = openat(folder.number, Self.name, flags, 0o600)
      guard descriptor >= 0 else {
        if FileStatus(of: Self.name, in: folder) != nil { throw foreign }
        return nil
      }
      let file = FileDescriptor(descriptor)
      guard let own = FileStatus(of: descriptor), own.kind == S_IFREG, own.isPrivate else {
        throw foreign
      }
      while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
        guard errno == EINTR else { return nil }
      }
      // The holder before may have removed the file meanwhile.
      if FileStatus(of: Self.name, in: folder)?.inode == own.inode {
        self.file = file
        return
      }
    }
  }

  deinit { unlinkat(folder.number, Self.name, 0) }

  private static var name: String { ".choir-eval-\(geteuid()).lock" }
}

/// An open file or socket, closed with its last reference.
package final class FileDescriptor: Sendable {
  package let number: Int32

  /// - Parameter number: an open descriptor, which this object owns from now on.
  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Returns true for files of one of these kinds, such as `S_IFREG`.
  func isOfKind(_ kinds: mode_t...) -> Bool {
    FileStatus(of: number).map { kinds.contains($0.kind) } ?? false
  }
}
