import ArgumentParser
import Foundation

/// Leave to replace files that stand where a command is to write.
struct Overwriting: ParsableArguments {
  @Flag(help: "Replace files that exist.") var force = false
}

/// The files that a command is about to write, claimed one by one before any work is done.
///
/// What a command reads is never written over, under whatever name. What exists is replaced only
/// by leave; an empty file, a device and a pipe have nothing to lose.
struct OutputFiles {
  private let inputs: [(path: String, identity: FileIdentity)]
  private let mayReplace: Bool
  private var claimed: [(path: String, identity: FileIdentity)] = []

  /// - Parameter inputs: paths of all that is read; `nil` and "-" are no files.
  init(reading inputs: [String?], force: Bool = false) {
    self.inputs = inputs.compactMap(\.self).filter { $0 != "-" }.map { ($0, FileIdentity(of: $0)) }
    mayReplace = force
  }

  /// Claims a place to write to; `nil` claims nothing.
  ///
  /// - Parameter isOwn: whether a file that stands there is an earlier one of the same command, which
  ///   may be replaced.
  /// - Throws: a `Refusal`, where something would be lost.
  mutating func claim(
    _ path: String?, isOwn: (String) -> Bool = { _ in false }
  ) throws(Refusal) {
    guard let path else { return }
    let kind = FileKind(of: path)
    if kind == .folder { throw Refusal("\(path) is a folder; name a file in it") }
    if kind == .special { return }
    let identity = FileIdentity(of: path)
    if let input = inputs.first(where: { $0.identity == identity }) {
      let also = input.path == path ? "" : ", which is the same file as \(input.path)"
      throw Refusal("\(path)\(also), is read by this command; name another file to write")
    }
    if let other = claimed.first(where: { $0.identity == identity }) {
      let both = other.path == path ? "" : " (also called \(other.path))"
      throw Refusal("\(path)\(both) would be written twice; name two files")
    }
    if kind == .file, !mayReplace, !isOwn(path) {
      throw Refusal("\(path) exists; name another file, or add --force to replace it")
    }
    claimed.append((path, identity))
  }
}

/// Why a command line will not be carried out: misuse, without a reminder of the usage.
struct Refusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What stands at a path, links followed.
enum FileKind {
  case nothing, file, emptyFile, folder
  /// A device, pipe or socket.
  case special

  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = status.st_size == 0 ? .emptyFile : .file
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}

/// A file under whatever name: relative, through links symbolic or hard, there or not yet.
enum FileIdentity: Equatable {
  case there(device: UInt64, inode: UInt64)
  case notYet(path: String)

  init(of path: String) {
    var status = stat()
    self =
      stat(path, &status) == 0
      ? .there(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
      : .notYet(path: Self.resolved(path))
  }

  /// The whole path with all links resolved, of a file that may not exist in a folder that may not.
  static func resolved(_ path: String) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    let here = FileManager.default.currentDirectoryPath
    let whole = (path.hasPrefix("/") ? path : "\(here)/\(path)") as NSString
    let name = whole.lastPathComponent
    if name == "." { return resolved(whole.deletingLastPathComponent) }
    guard whole.length > 1, name != "/" else { return "/" }
    // A link to nowhere stands for what it points to.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: whole as String) {
      let folder = whole.deletingLastPathComponent
      return resolved(target.hasPrefix("/") ? target : "\(folder)/\(target)")
    }
    let folder = resolved(whole.deletingLastPathComponent)
    return (folder as NSString).appendingPathComponent(name)
  }
}
