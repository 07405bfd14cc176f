import Files
import Foundation
import Programs

/// A child process that exchanges lines of text with this one; it ends with this object.
final class LineProtocolProcess {
  enum Failure: Error, Equatable, CustomStringConvertible {
    case notStarted(String)
    case ended(String, errors: String)
    case silent(String, seconds: Int)
    case unexpected(String, line: String, wanted: String)

    var description: String {
      switch self {
      case .notStarted(let program):
        "'\(program)' can't be started; check the path and that it is executable"
      case .ended(let program, let errors):
        "'\(program)' ended before it answered"
          + (errors.isEmpty ? ", without a message" : "; standard error: \(errors)")
      case .silent(let program, let seconds):
        "'\(program)' did not answer within \(seconds) s; check that it runs by itself"
      case .unexpected(let program, let line, let wanted):
        "'\(program)' wrote '\(line)', expected \(wanted)"
      }
    }
  }

  private let program: String
  private let timeoutSeconds: Int
  private let supervised: Supervised
  /// A socket for both directions; writing to a pipe without a reader would end this process.
  private let socket: FileDescriptor
  private let scratch: ScratchFolder
  private var unread: [UInt8] = []

  init(_ arguments: [String], timeoutSeconds: Int) throws {
    (program, self.timeoutSeconds) = (arguments[0], timeoutSeconds)
    scratch = try ScratchFolder()
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure.notStarted(program) }
    let (socket, theirs) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    var patience = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
    setsockopt(
      ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let errorFile = FileDescriptor(
      open(scratch.file("errors").path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    let here = SelfProcess.folder
    guard
      let path = ProgramFile.path(of: program, in: here, ChildEnvironment.ofThisProcess),
      let started = try? Supervised(
        path, arguments, ChildEnvironment.ofThisProcess, folder: here,
        streams: (theirs.number, theirs.number, errorFile.number), memoryMB: 0, fileMB: 1024)
    else { throw Failure.notStarted(program) }
    (self.socket, supervised) = (socket, started)
  }

  func write(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    guard send(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw ended()
    }
  }

  /// Waits for the next line.
  func line() throws -> String {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = recv(socket.number, &bytes, bytes.count, 0)
      guard count >= 0 else { throw Failure.silent(program, seconds: timeoutSeconds) }
      guard count > 0 else { throw ended() }
      unread += bytes[..<count]
    }
  }

  private func ended() -> Failure {
    let data = (try? Data(contentsOf: scratch.file("errors"))) ?? Data()
    let lines = String(decoding: data.suffix(2000), as: UTF8.self)
      .split(whereSeparator: \.isNewline).suffix(3)
    return .ended(program, errors: String(lines.joined(separator: " / ").prefix(400)))
  }
}
