import Foundation
import Platform
import Synchronization

/// The stream for results. A failed write is remembered, and the command ends with 2.
package enum StandardOutput {
  private static let lost = Mutex<Int32?>(nil)
  /// True if a file that the user named is this stream. What else is printed then goes to standard
  /// error, so that the file holds nothing foreign.
  static let isFile = Atomic(false)

  /// Opens those of the three standard streams that the caller had closed, so that no file of the
  /// program, such as a store of results, takes their place.
  package static func secure() {
    // The modes are reversed so that any use of these streams fails.
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// - Throws: `OutputLost` on the first failed write and on every later one.
  package static func write(_ text: String) throws(OutputLost) { try write(Data(text.utf8)) }

  /// Writes bytes. A closed pipe ends the program silently, as is usual in Unix.
  package static func write(_ data: Data) throws(OutputLost) {
    if let code = lost.withLock(\.self) { throw OutputLost(code) }
    guard let code = data.withUnsafeBytes({ DescriptorWriting.write($0, to: STDOUT_FILENO) }) else {
      return
    }
    if code == EPIPE { DescriptorWriting.endQuietly() }
    lost.withLock { $0 = code }
    throw OutputLost(code)
  }

  /// Returns `code`, or 2 if results were lost.
  package static func settled(_ code: Int32) -> Int32 {
    // Flushes what libraries printed themselves.
    let flushed = fflush(nil)
    let left = flushed == 0 ? nil : errno
    guard let problem = lost.withLock(\.self) ?? left, [0, 1, 3].contains(code) else { return code }
    Terminal.printError("\(OutputLost(problem))")
    return 2
  }
}

/// A failed write to standard output.
package struct OutputLost: Error, CustomStringConvertible {
  package let description: String

  init(_ code: Int32) {
    description =
      "standard output is incomplete: \(String(cString: strerror(code))); free some space or "
      + "redirect the output, and run the command again"
  }
}
