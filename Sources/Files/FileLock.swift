import Foundation

/// An exclusive lock on a file or folder. It ends with its owner, or with the process, however that
/// ends; children don't inherit it.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// - Parameter waits: whether to wait while another process holds it.
  /// - Returns: `nil` where another holds it, or the file system has no locks.
  init?(_ url: URL, waits: Bool) {
    // Locks over a network need a file that is open for writing; folders can't be.
    var descriptor = open(url.path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { descriptor = open(url.path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        return nil
      }
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
