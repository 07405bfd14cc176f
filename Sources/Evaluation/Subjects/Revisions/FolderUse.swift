import Foundation
import Platform

/// The use of a kept folder: by any number of processes at once, or by one alone that builds or removes
/// it. It ends with its last reference, or with the process.
///
/// The lock is on an empty file beside the folder, `NAME.use`, which stays when the folder goes.
final class FolderUse: Sendable {
  static let suffix = ".use"

  private let file: FileDescriptor

  /// Waits for a process that uses the folder alone.
  init(of folder: URL) throws {
    file = try Self.opened(folder)
    share()
  }

  /// Returns `nil` while any other process, or another part of this one, uses the folder.
  init?(alone folder: URL) {
    guard let file = try? Self.opened(folder), flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      return nil
    }
    self.file = file
  }

  /// Waits until nobody else uses the folder.
  func waitUntilAlone() { lock(LOCK_EX) }

  /// Lets others use the folder too.
  func share() { lock(LOCK_SH) }

  private func lock(_ kind: Int32) {
    while flock(file.number, kind) != 0, errno == EINTR {}
  }

  private static func opened(_ folder: URL) throws -> FileDescriptor {
    let path = folder.path + suffix
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw Refusal.cache(path: path, reason: String(cString: strerror(errno)))
    }
    return FileDescriptor(descriptor)
  }
}
