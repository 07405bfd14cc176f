import Foundation

/// The folder for files that a process needs only while it works. Only its user can open it.
///
/// It is removed when the process ends. Folders of killed processes are removed by the next process
/// of the same user that needs one.
package enum Scratch {
  /// A folder for temporary files that can't be used.
  package struct Unusable: Error, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String {
      "the folder for temporary files, \(path), can't be used: \(reason); make it, or name another "
        + "in the variable TMPDIR"
    }
  }

  /// The system's folder for temporary files: `TMPDIR`, or `/tmp`.
  package static var parent: URL {
    let path = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    return URL(fileURLWithPath: path.isEmpty ? "/tmp" : path, isDirectory: true)
  }

  /// Returns the folder of this process, made on the first call.
  package static func folder() throws(Unusable) -> URL { try own.get().url }

  private static let own: Result<LockedFolder, Unusable> = {
    let made = Result { () throws(Unusable) in try LockedFolder(in: parent) }
    atexit { if case .success(let folder) = Scratch.own { folder.remove() } }
    return made
  }()
}

/// A new private folder, locked as long as its process lives.
final class LockedFolder: Sendable {
  let url: URL
  private let lock: FileDescriptor

  private static let prefix = "choir-eval-"

  /// Makes the folder; first removes those of dead processes of this user.
  init(in parent: URL) throws(Scratch.Unusable) {
    Self.removeDead(in: parent)
    while true {
      var path = Array(parent.appendingPathComponent("\(Self.prefix)XXXXXX").path.utf8CString)
      guard mkdtemp(&path) != nil else {
        throw Scratch.Unusable(path: parent.path, reason: String(cString: strerror(errno)))
      }
      let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      let folder = URL(fileURLWithPath: name, isDirectory: true)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
      let descriptor = open(Self.lockFile(of: folder).path, flags, 0o600)
      guard descriptor >= 0 else {
        guard errno == ENOENT else {
          throw Scratch.Unusable(path: parent.path, reason: String(cString: strerror(errno)))
        }
        continue
      }
      let file = FileDescriptor(descriptor)
      flock(descriptor, LOCK_EX | LOCK_NB)
      // Until now another process may have taken the folder for a dead one.
      if (FileStatus(of: descriptor)?.linkCount ?? 0) > 0 {
        (url, lock) = (folder, file)
        return
      }
    }
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  private static func removeDead(in parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      let folder = parent.appendingPathComponent(name)
      guard let status = FileStatus(ofLink: folder.path), status.kind == S_IFDIR, status.isPrivate
      else { continue }
      // A folder without a lock file is empty, and may be a new one.
      guard let lock = FileLock(lockFile(of: folder)) else {
        rmdir(folder.path)
        continue
      }
      try? FileManager.default.removeItem(at: folder)
      withExtendedLifetime(lock) {}
    }
  }

  private static func lockFile(of folder: URL) -> URL { folder.appendingPathComponent("lock") }
}

/// A temporary folder that is deleted with its last reference. Only this user can open it.
public final class ScratchFolder: Sendable {
  package let url: URL

  package init() throws {
    url = try Scratch.folder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Deletes the folder now.
  package func discard() { try? FileManager.default.removeItem(at: url) }

  deinit { discard() }

  package func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
