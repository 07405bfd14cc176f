import Foundation

/// A file that appears completely or not at all, even if this process is killed.
///
/// The bytes go to a file without a name in the target's folder; `finish` names it. Where the file
/// system has no such files, they go to a hidden file, `.UUID.partial`, which a killed process leaves
/// behind. Links are followed, and permissions of a replaced file stay. Devices and pipes are
/// written directly.
package final class WholeFile {
  /// The path that the caller named.
  package let path: String
  /// The file, open for writing until `finish`.
  package private(set) var descriptor: Int32
  /// The file that the path leads to; `nil` for devices and pipes.
  private let target: String?
  /// The name until `finish`, used only if `isNamed`.
  private let draft: String
  private var isNamed = false
  private let staysWithoutName: Bool

  /// - Parameter staysWithoutName: false to write to the hidden file, which a killed process leaves
  ///   behind: of a recording, what was played until then is kept.
  /// - Throws: also for folders, and for links that lead back to themselves.
  package init(_ path: String, staysWithoutName: Bool = true) throws(WriteError) {
    (self.path, self.staysWithoutName) = (path, staysWithoutName)
    let status = FileStatus(path)
    if status?.kind == S_IFDIR { throw WriteError(path, EISDIR) }
    if let status, status.kind != S_IFREG {
      (target, draft) = (nil, "")
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      guard let resolved = LinkPath.resolved(path) else { throw WriteError(path, ELOOP) }
      let folder = (resolved as NSString).deletingLastPathComponent
      target = resolved
      draft = (folder as NSString).appendingPathComponent(".\(UUID().uuidString).partial")
      descriptor = staysWithoutName ? open(folder, O_WRONLY | O_CLOEXEC | Self.unnamed, 0o666) : -1
      if descriptor < 0 || access("/proc/self/fd/\(descriptor)", F_OK) != 0 {
        if descriptor >= 0 { close(descriptor) }
        descriptor = open(draft, O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL, 0o666)
        isNamed = descriptor >= 0
      }
    }
    guard descriptor >= 0 else { throw WriteError(path, errno) }
    if let status, target != nil { fchmod(descriptor, status.permissions) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if isNamed { unlink(draft) }
  }

  /// `O_TMPFILE` of Linux, a macro that Swift does not see.
  private static var unnamed: Int32 { 0o20_000_000 | O_DIRECTORY }

  /// Appends bytes. If a pipe has lost its reader, it ends this process, as is common in Unix.
  package func append(_ data: Data) throws(WriteError) {
    let failure = data.withUnsafeBytes { DescriptorWriting.write($0, to: descriptor) }
    if failure == EPIPE { DescriptorWriting.endQuietly() }
    if let failure { throw WriteError(path, failure) }
  }

  /// Completes the file and puts it in its place.
  package func finish() throws(WriteError) {
    if target != nil, !isNamed {
      let open = "/proc/self/fd/\(descriptor)"
      guard linkat(AT_FDCWD, open, AT_FDCWD, draft, AT_SYMLINK_FOLLOW) == 0 else {
        throw WriteError(path, errno)
      }
      isNamed = true
    }
    let number = descriptor
    descriptor = -1
    // Network folders may report a failed write only now.
    guard close(number) == 0 else { throw WriteError(path, errno) }
    guard let target else { return }
    guard rename(draft, target) == 0 else {
      isNamed = staysWithoutName
      throw WriteError(path, errno, keptAt: isNamed ? nil : draft)
    }
    isNamed = false
  }

  // MARK: Whole contents

  package static func write(_ data: Data, to path: String) throws(WriteError) {
    let file = try WholeFile(path)
    try file.append(data)
    try file.finish()
  }

  package static func write(_ text: String, to path: String) throws {
    try write(Data(text.utf8), to: path)
  }

  /// Writes a text piece by piece.
  ///
  /// - Parameter pieces: passes the text on.
  package static func write(
    to path: String, _ pieces: (_ take: (String) throws -> Void) throws -> Void
  ) throws {
    let file = try WholeFile(path)
    try pieces { try file.append(Data($0.utf8)) }
    try file.finish()
  }
}

/// A file that could not be written.
package struct WriteError: Error, Equatable, CustomStringConvertible {
  package let path: String
  /// The system's error number.
  package let code: Int32
  /// The complete file, if it could only not be moved to its place.
  package let keptAt: String?

  init(_ path: String, _ code: Int32, keptAt: String? = nil) {
    (self.path, self.code, self.keptAt) = (path, code, keptAt)
  }

  package var reason: String { String(cString: strerror(code)) }

  package var description: String {
    "\(path) could not be written: \(reason); no partial file remains. Check the folder, its "
      + "permissions and the free space"
  }
}

/// Writing to an open file, pipe or terminal.
package enum DescriptorWriting {
  /// Writes all bytes; returns the system's error number if it could not.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var done = 0
    while done < bytes.count {
      let step = Foundation.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
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

  /// Ends the program by SIGPIPE, even if a parent process had it ignored.
  package static func endQuietly() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    _exit(128 + SIGPIPE)
  }
}

/// Paths with links.
package enum LinkPath {
  /// Returns the absolute path with all links resolved; neither file nor folder need exist.
  ///
  /// - Returns: `nil` if links lead in a circle.
  package static func resolved(_ path: String) -> String? { resolved(path, links: 40) }

  /// - Parameter links: how many may still be followed; 40 is the limit of Linux.
  private static func resolved(_ path: String, links: Int) -> String? {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard errno != ELOOP, links > 0 else { return nil }
    let here = FileManager.default.currentDirectoryPath
    let whole = (path.hasPrefix("/") ? path : "\(here)/\(path)") as NSString
    let (name, folder) = (whole.lastPathComponent, whole.deletingLastPathComponent)
    if name == "." { return resolved(folder, links: links) }
    guard whole.length > 1, name != "/" else { return "/" }
    // A dangling link stands for its target.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: whole as String) {
      return resolved(target.hasPrefix("/") ? target : "\(folder)/\(target)", links: links - 1)
    }
    return resolved(folder, links: links).map { ($0 as NSString).appendingPathComponent(name) }
  }
}
