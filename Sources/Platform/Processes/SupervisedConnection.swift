import Foundation

/// A program under a supervisor that exchanges bytes with this process over its standard input and
/// output. It ends with this object.
///
/// Every call ends within `timeoutSeconds`.
package final class SupervisedConnection {
  private let supervised: Supervised
  private let socket: FileDescriptor
  private let scratch: ScratchFolder
  private let timeoutSeconds: Double
  private var unread: [UInt8] = []

  /// Longest line to accept.
  private static let maxLineBytes = 65_536

  /// Starts a program.
  ///
  /// - Parameter program: its path from the folder, or its name in the environment's `PATH`.
  package init(
    _ program: String, _ arguments: [String], _ environment: [String: String], folder: URL,
    memoryMB: Double, timeoutSeconds: Double
  ) throws {
    guard let path = ProgramFile.path(of: program, in: folder, environment) else {
      throw ChildProcess.Failure.notFound(program)
    }
    (scratch, self.timeoutSeconds) = (try ScratchFolder(), timeoutSeconds)
    let ends = try Endpoints(socketFor: program)
    let errors = FileDescriptor(
      open(scratch.file("errors").path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    guard errors.number >= 0 else {
      throw ChildProcess.Failure.notStarted(program, code: errno)
    }
    // Its own end is closed with `ends`, so that the program's end is noticed.
    supervised = try Supervised(
      path, [program] + arguments, environment, folder: folder,
      streams: (ends.theirs, ends.theirs, errors.number), memoryMB: memoryMB, fileMB: 1024)
    socket = ends.takeOurs()
  }

  /// Sends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(ChildProcess.Failure) {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    try transfer(bytes.count, waitingFor: POLLOUT) { done in
      send(socket.number, bytes.baseAddress! + done, bytes.count - done, flags)
    }
  }

  /// Receives as many bytes as the buffer has.
  package func read(_ bytes: UnsafeMutableRawBufferPointer) throws(ChildProcess.Failure) {
    try transfer(bytes.count, waitingFor: POLLIN) { done in
      recv(
        socket.number, bytes.baseAddress! + done, bytes.count - done, Int32(MSG_DONTWAIT))
    }
  }

  /// Receives a line, without its end.
  package func line() throws(ChildProcess.Failure) -> String {
    var part = [UInt8](repeating: 0, count: 4096)
    var searched = 0
    while true {
      if let end = unread[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      searched = unread.count
      guard searched <= Self.maxLineBytes else {
        throw .tooMuchOutput(bytes: Self.maxLineBytes)
      }
      var count = 0
      try transfer(1, waitingFor: POLLIN) { _ in
        count = recv(socket.number, &part, part.count, Int32(MSG_DONTWAIT))
        return count
      }
      unread += part[..<count]
    }
  }

  /// Calls a step until it has moved enough bytes.
  ///
  /// - Parameter step: moves bytes after those that are done, without waiting.
  private func transfer(
    _ count: Int, waitingFor event: Int32, _ step: (_ done: Int) -> Int
  ) throws(ChildProcess.Failure) {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var done = 0
    while done < count {
      let moved = step(done)
      if moved > 0 {
        done += moved
        continue
      }
      guard moved < 0, [EINTR, EAGAIN].contains(errno) else { throw ended() }
      guard ContinuousClock.now < deadline else { throw .hung(seconds: timeoutSeconds) }
      var request = pollfd(fd: socket.number, events: Int16(event), revents: 0)
      poll(&request, 1, deadline.pollMs)
    }
  }

  /// Returns how the program ended that closed its end of the socket.
  private func ended() -> ChildProcess.Failure {
    // Its process ends a moment after its streams, if it ends.
    let hasEnded = supervised.hasEnded(withinSeconds: 1)
    guard let end = supervised.finish() else { return .supervisorGone }
    guard hasEnded else { return .closedItsOutput }
    let data = (try? GivenFile.data(at: scratch.file("errors"))) ?? Data()
    return (end.failure ?? .exited(0, errors: "")).quoting(ChildProcess.tail(of: data))
  }
}
