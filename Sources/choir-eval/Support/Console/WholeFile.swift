import Foundation

/// Files of text written whole or not at all.
enum WholeFile {
  static func write(_ text: String, to path: String) throws {
    try write(to: path) { try $0(text) }
  }

  /// Writes a draft beside the file, which takes its name when it is whole; a failure leaves what
  /// was there, and no draft. Links are followed. Devices and pipes are written to as they are.
  ///
  /// - Parameter pieces: hands over the text, piece by piece.
  static func write(
    to path: String, _ pieces: (_ take: (String) throws -> Void) throws -> Void
  ) throws {
    guard FileKind(of: path) != .special else {
      return try put(into: path, flags: O_WRONLY, called: path, pieces)
    }
    let target = FileIdentity.resolved(path) as NSString
    let draft = (target.deletingLastPathComponent as NSString).appendingPathComponent(
      ".\(target.lastPathComponent).\(UUID().uuidString).partial")
    do {
      try put(into: draft, flags: O_WRONLY | O_CREAT | O_EXCL, called: path, pieces)
      guard rename(draft, target as String) == 0 else { throw WriteError(path, errno) }
    } catch {
      unlink(draft)
      throw error
    }
  }

  private static func put(
    into file: String, flags: Int32, called path: String,
    _ pieces: ((String) throws -> Void) throws -> Void
  ) throws {
    let descriptor = open(file, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw WriteError(path, errno) }
    do {
      try pieces { text in
        let failure = Data(text.utf8).withUnsafeBytes {
          unsafe Descriptor.write($0, to: descriptor)
        }
        // The reader of a pipe went away.
        if failure == EPIPE { StandardOutput.endQuietly() }
        if let failure { throw WriteError(path, failure) }
      }
    } catch {
      close(descriptor)
      throw error
    }
    // Some systems, network folders above all, refuse only now.
    guard close(descriptor) == 0 else { throw WriteError(path, errno) }
  }
}

/// Why a file that was asked for is not there.
struct WriteError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ code: Int32) {
    description =
      "\(path) could not be written: \(String(cString: strerror(code))); nothing was left behind. "
      + "Check the folder, its permissions and the free space"
  }
}
