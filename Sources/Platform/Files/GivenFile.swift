import Foundation

/// Opens files for reading: regular files only, so that nothing waits for the writer of a pipe.
package enum GivenFile {
  /// A file that can't be read: its path, the problem and the remedy.
  package struct Unreadable: Error, Equatable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
      case missing, folder, special, linkLoop
      case refused(String)
    }

    package let path: String
    package let cause: Cause

    /// The problem and the remedy.
    package var problem: String {
      switch cause {
      case .missing: "there is no such file; check the path"
      case .folder: "is a folder; name a file in it"
      case .special: "is a pipe, device or socket; save its content in a file, and name that"
      case .linkLoop: "is a link that leads back to itself; remove it, or name a file"
      case .refused(let reason): "can't be read: \(reason); check that you may read it"
      }
    }

    package var description: String { "\(path): \(problem)" }
  }

  /// Opens a file. Links are followed.
  package static func open(_ path: String) throws(Unreadable) -> FileDescriptor {
    // Without a writer, opening a pipe would wait.
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Unreadable(path: path, cause: cause(of: errno)) }
    let file = FileDescriptor(descriptor)
    switch FileStatus(of: descriptor)?.kind {
    case S_IFREG: return file
    case S_IFDIR: throw Unreadable(path: path, cause: .folder)
    default: throw Unreadable(path: path, cause: .special)
    }
  }

  private static func cause(of code: Int32) -> Unreadable.Cause {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case ELOOP: .linkLoop
    case ENXIO: .special
    default: .refused(String(cString: strerror(code)))
    }
  }

  /// Returns the bytes of a file.
  package static func data(at url: URL) throws(Unreadable) -> Data {
    let file = try open(url.path)
    do { return try FileHandle(fileDescriptor: file.number).readToEnd() ?? Data() } catch {
      throw Unreadable(path: url.path, cause: .refused(errorText(error)))
    }
  }

  /// Returns the first bytes of a file.
  package static func head(_ count: Int, of url: URL) throws(Unreadable) -> Data {
    let file = try open(url.path)
    do { return try FileHandle(fileDescriptor: file.number).read(upToCount: count) ?? Data() } catch
    { throw Unreadable(path: url.path, cause: .refused(errorText(error))) }
  }

  /// Returns the text of a file in UTF-8, UTF-16 or Latin-1.
  package static func text(at url: URL) throws(Unreadable) -> String {
    decodedText(try data(at: url))
  }
}
