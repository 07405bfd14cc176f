import ArgumentParser
import Foundation
import Platform
import Synchronization

/// The flag that permits replacing existing files.
package struct Overwriting: ParsableArguments {
  @Flag(help: "Replace existing files.") package var force = false

  package init() {}
}

/// The files that a command is about to write, claimed one by one before any work is done.
///
/// A file that the command reads is never overwritten, whatever path names it. An existing file is
/// replaced only with permission; empty files, devices and pipes have nothing to lose.
package struct OutputFiles {
  private let inputs: [(path: String, identity: FileIdentity)]
  private let mayReplace: Bool
  private var claimed: [(path: String, identity: FileIdentity)] = []

  /// - Parameter inputs: paths of all files read; `nil` and "-" are no files.
  package init(reading inputs: [String?], force: Bool = false) {
    self.inputs = inputs.compactMap(\.self).filter { $0 != "-" }.map { ($0, FileIdentity(of: $0)) }
    mayReplace = force
  }

  /// Claims a path to write to; `nil` claims nothing.
  ///
  /// - Parameter isOwn: tells whether an existing file was written by the same command and may be
  ///   replaced.
  /// - Throws: `ValidationError` if something would be lost.
  package mutating func claim(
    _ path: String?, isOwn: (String) -> Bool = { _ in false }
  ) throws(ValidationError) {
    guard let path else { return }
    if Self.isStandardOutput(path) { StandardOutput.isFile.store(true, ordering: .relaxed) }
    let kind = FileKind(of: path)
    if kind == .folder { throw ValidationError("\(path) is a folder; name a file in it") }
    if kind == .special { return }
    let identity = FileIdentity(of: path)
    if let input = inputs.first(where: { $0.identity == identity }) {
      let also = input.path == path ? "" : ", which is the same file as \(input.path),"
      throw ValidationError("\(path)\(also) is read by this command; name another file to write")
    }
    if let other = claimed.first(where: { $0.identity == identity }) {
      let both = other.path == path ? "" : " (also called \(other.path))"
      throw ValidationError("\(path)\(both) would be written twice; name two files")
    }
    if kind == .file, !mayReplace, !isOwn(path) {
      throw ValidationError("\(path) exists; name another file, or add --force to replace it")
    }
    claimed.append((path, identity))
  }

  /// True if a path such as /dev/stdout names the stream for results, which is not /dev/null.
  private static func isStandardOutput(_ path: String) -> Bool {
    var (file, output, null) = (stat(), stat(), stat())
    return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0
      && (file.st_dev, file.st_ino) == (output.st_dev, output.st_ino)
      && !(stat("/dev/null", &null) == 0 && file.st_rdev == null.st_rdev)
  }
}

/// The kind of file at a path, with links followed.
package enum FileKind {
  case nothing, file, emptyFile, folder
  /// A device, pipe or socket.
  case special

  package init(of path: String) {
    let status = FileStatus(path)
    switch status?.kind {
    case nil: self = .nothing
    case S_IFREG: self = status?.size == 0 ? .emptyFile : .file
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}

/// Identity of a file independent of its path: relative, linked, existing or not yet.
enum FileIdentity: Equatable {
  case there(device: UInt64, inode: UInt64)
  case notYet(path: String)

  init(of path: String) {
    var status = stat()
    self =
      stat(path, &status) == 0
      ? .there(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
      : .notYet(path: LinkPath.resolved(path) ?? path)
  }
}
