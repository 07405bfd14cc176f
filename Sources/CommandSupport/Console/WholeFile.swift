import Foundation

/// Text files that are written completely or not at all.
package enum WholeFile {
  package static func write(_ text: String, to path: String) throws {
    try write(to: path) { try $0(text) }
  }

  /// Writes a draft beside the file and renames it when it is complete; a failure leaves the old
  /// file and no draft. Follows links. Writes to devices and pipes directly.
  ///
  /// - Parameter pieces: passes the text on, piece by piece.
  package static func write(
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
        // The pipe was closed by its reader.
        if failure == EPIPE { StandardOutput.endQuietly() }
        if let failure { throw WriteError(path, failure) }
      }
    } catch {
      close(descriptor)
      throw error
    }
    // Network folders may report a failed write only now.
    guard close(descriptor) == 0 else { throw WriteError(path, errno) }
  }
}

/// A file that could not be written.
struct WriteError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ code: Int32) {
    description =
      "\(path) could not be written: \(String(cString: strerror(code))); no partial file remains. "
      + "Check the folder, its permissions and the free space"
  }
}
