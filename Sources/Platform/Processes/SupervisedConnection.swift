import Foundation

/// A program under a supervisor that exchanges bytes with this process over its standard input and
/// output. It ends with this object.
///
/// Every call ends within `timeoutSeconds`.
package final class SupervisedConnection {
  private let supervised: Supervised
  /// A socket, which unlike a pipe without a reader lets this process live.
  private let input: FileDescriptor
  private let output: FileDescriptor
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
    let ends = (input: try Endpoints(socketFor: program), output: try Endpoints(pipeFor: program))
    let errors = FileDescriptor(
      open(scratch.file("errors").path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    guard errors.number >= 0 else {
      throw ChildProcess.Failure.notStarted(program, code: errno)
    }
    // Its own ends are closed with `ends`, so that the program's end is noticed.
    supervised = try Supervised(
      path, [program] + arguments, environment, folder: folder,
      streams: (ends.input.theirs, ends.output.theirs, errors.number), memoryMB: memoryMB,
      fileMB: 1024)
    (input, output) = (ends.input.releaseOurs(), ends.output.releaseOurs())
    _ = fcntl(output.number, F_SETFL, O_NONBLOCK)
    // What a program writes to its standard input fails, and does not wait for a reader.
    shutdown(input.number, Int32(SHUT_RD))
  }

  /// Sends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(ChildProcess.Failure) {
    try transfer(bytes.count, waitingFor: POLLOUT, on: input) { send(bytes, from: $0) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer, from done: Int) -> Int {
    Foundation.send(
      input.number, bytes.baseAddress! + done, bytes.count - done,
      Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Receives as many bytes as the buffer has.
  package func read(_ bytes: UnsafeMutableRawBufferPointer) throws(ChildProcess.Failure) {
    try transfer(bytes.count, waitingFor: POLLIN, on: output) { done in
      Foundation.read(output.number, bytes.baseAddress! + done, bytes.count - done)
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
      try transfer(1, waitingFor: POLLIN, on: output) { _ in
        count = Foundation.read(output.number, &part, part.count)
        return count
      }
      unread += part[..<count]
    }
  }

  /// Calls a step until it has moved enough bytes.
  ///
  /// - Parameter step: moves bytes after those that are done, without waiting.
  private func transfer(
    _ count: Int, waitingFor event: Int32, on stream: FileDescriptor, _ step: (_ done: Int) -> Int
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
      var request = pollfd(fd: stream.number, events: Int16(event), revents: 0)
      poll(&request, 1, deadline.pollMs)
    }
  }

  /// Sends bytes and keeps the program's input open; counts what it writes meanwhile.
  ///
  /// - Parameter restSeconds: time without any output after which it is taken to wait for more input.
  /// - Throws: also if it ends by itself without an error code.
  package func bytesAnswered(
    to bytes: UnsafeRawBufferPointer, restSeconds: Double = 2
  ) throws(ChildProcess.Failure) -> Int {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var (sent, received) = (0, 0)
    while true {
      let isSent = sent == bytes.count
      var streams = [
        pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isSent ? -1 : input.number, events: Int16(POLLOUT), revents: 0),
      ]
      let rest = isSent ? min(deadline, .now + .seconds(restSeconds)) : deadline
      let ready = poll(&streams, 2, rest.pollMs)
      if ready < 0, errno == EINTR { continue }
      if ready == 0, isSent { return received }
      guard ContinuousClock.now < deadline else { throw .hung(seconds: timeoutSeconds) }
      if streams[0].revents != 0 {
        let count = Foundation.read(output.number, &buffer, buffer.count)
        guard count > 0 else { throw ended() }
        received += count
      }
      if streams[1].revents != 0 {
        let count = send(bytes, from: sent)
        guard count > 0 else { throw ended() }
        sent += count
      }
    }
  }

  /// Returns how the program ended that closed a stream.
  private func ended() -> ChildProcess.Failure {
    // Its process ends a moment after its streams, if it ends.
    let hasEnded = supervised.hasEnded(withinSeconds: 1)
    guard let end = supervised.finish() else { return .supervisorGone }
    guard hasEnded else { return .closedItsOutput }
    let data = (try? GivenFile.data(at: scratch.file("errors"))) ?? Data()
    return (end.failure ?? .exited(0, errors: "")).quoting(ChildProcess.tail(of: data))
  }
}

/// Both ends of a pipe or socket; an end is closed with this object unless it was taken.
final class Endpoints {
  private(set) var ours: Int32
  private(set) var theirs: Int32

  /// A pipe that is read here.
  init(pipeFor program: String) throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .notStarted(program, code: errno) }
    // A program that starts meanwhile inherits them, but its supervisor closes all that it does not know.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (ours, theirs) = (ends[0], ends[1])
  }

  /// A socket for both directions. Unlike a pipe without a reader, it lets this process live.
  init(socketFor program: String) throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(program, code: errno) }
    (ours, theirs) = (ends[0], ends[1])
  }

  deinit {
    closeTheirs()
    if ours >= 0 { close(ours) }
  }

  func closeTheirs() {
    if theirs >= 0 { close(theirs) }
    theirs = -1
  }

  func releaseOurs() -> FileDescriptor {
    defer { ours = -1 }
    return FileDescriptor(ours)
  }
}
