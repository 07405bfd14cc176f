import Foundation

/// An exclusive lock on a file or folder. It ends with its owner or with the process, even a killed
/// one; child processes don't inherit it.
package final class FileLock: Sendable {
  private let file: FileDescriptor

  /// Takes the lock.
  ///
  /// - Parameter waits: true to wait while another process holds it.
  /// - Returns: `nil` if another process holds it, or if the file system has no locks.
  package init?(_ url: URL, waits: Bool) {
    // Network file systems lock only files open for writing; folders can't be opened so.
    var descriptor = open(url.path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { descriptor = open(url.path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    file = FileDescriptor(descriptor)
    while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
      guard errno == EINTR else { return nil }
    }
  }
}

/// An open file or socket, closed with its last reference.
package final class FileDescriptor: Sendable {
  package let number: Int32

  /// - Parameter number: an open descriptor, which this object owns from now on.
  package init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
