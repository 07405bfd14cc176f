import Foundation
import Synchronization

/// Where results go. What can't be written is remembered, and the command ends with 2.
enum StandardOutput {
  private static let lost = Mutex<Int32?>(nil)

  /// Makes sure that the three standard streams are open, so that no file of the program's own,
  /// such as a store of results, is opened in the place of one that the caller had closed.
  static func secure() {
    // Reading from nothing, and writing to what can only be read: both fail when they are used.
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// - Throws: an `OutputLost`, at the first text that is not taken and ever after.
  static func write(_ text: String) throws(OutputLost) { try write(Data(text.utf8)) }

  /// A reader that went away ends the program without a word, as everywhere in Unix.
  static func write(_ data: Data) throws(OutputLost) {
    if let code = lost.withLock(\.self) { throw OutputLost(code) }
    guard let code = data.withUnsafeBytes({ unsafe Descriptor.write($0, to: STDOUT_FILENO) }) else {
      return
    }
    if code == EPIPE { Self.endQuietly() }
    lost.withLock { $0 = code }
    throw OutputLost(code)
  }

  /// The exit code of a command that would end with `code`: 2 if results were lost on the way.
  static func settled(_ code: Int32) -> Int32 {
    // The libraries' own prints, if any.
    let flushed = fflush(nil)
    let left = flushed == 0 ? nil : errno
    guard let problem = lost.withLock(\.self) ?? left, [0, 1, 3].contains(code) else { return code }
    Terminal.printError("\(OutputLost(problem))")
    return 2
  }

  /// By the signal that kills other writers, even if a parent had it ignored.
  static func endQuietly() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// Why standard output did not get everything.
struct OutputLost: Error, CustomStringConvertible {
  let description: String

  init(_ code: Int32) {
    description =
      "standard output was lost, in part or whole: \(String(cString: strerror(code))); make room, "
      + "or send it somewhere else, and run the command again"
  }
}

/// The system's own way of writing.
enum Descriptor {
  /// Writes all there is; returns the system's error number where it did not take all.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var done = 0
    while done < bytes.count {
      let step = unsafe Foundation.write(
        descriptor, bytes.baseAddress! + done, bytes.count - done)
      if step < 0, errno == EINTR { continue }
      if step < 0, errno == EAGAIN {  // a terminal or pipe that another program made non-blocking
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
        continue
      }
      guard step > 0 else { return step < 0 ? errno : ENOSPC }
      done += step
    }
    return nil
  }
}
