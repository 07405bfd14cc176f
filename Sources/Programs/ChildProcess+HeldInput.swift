import Foundation

extension ChildProcess {
  /// Runs a program whose standard input stays open after `input`, and counts its answer.
  ///
  /// - Parameter restSeconds: time without any output after which it is taken to wait for more input.
  /// - Returns: number of bytes that it wrote although its input had not ended.
  /// - Throws: `Failure`, also if it ends by itself without an error code.
  package func bytesAnswered(to input: Data, restSeconds: Double = 2) throws -> Int {
    let program = try found()
    let (socket, theirs) = try Self.sockets(for: program)
    defer { close(socket) }
    let (output, nowhere) = (try PipeEnds(), open("/dev/null", O_WRONLY | O_CLOEXEC))
    defer { close(nowhere) }
    let supervised: Supervised
    do {
      defer { close(theirs) }
      supervised = try Supervised(
        program, arguments, environment, folder: folder, streams: (theirs, output.write, nowhere),
        memoryMB: memoryMB, fileMB: fileMB)
    }
    output.closeWrite()
    defer { supervised.end() }
    return try answered(input, through: socket, output, supervised, restSeconds)
  }

  /// Returns both ends of a socket. Writing to a pipe without a reader would end this process.
  package static func sockets(for program: String) throws(Failure) -> (ours: Int32, theirs: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      throw .notStarted(program, reason: String(cString: strerror(errno)))
    }
    return (ends[0], ends[1])
  }

  private func answered(
    _ input: Data, through socket: Int32, _ output: PipeEnds, _ supervised: Supervised,
    _ restSeconds: Double
  ) throws -> Int {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var (sent, heard) = (0, 0)
    while true {
      var files = [
        pollfd(fd: output.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sent < input.count ? socket : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let patience = sent < input.count ? timeoutSeconds : restSeconds
      let ready = poll(&files, 2, Int32(patience * 1000))
      if ready == 0, sent == input.count { return heard }
      guard ready > 0, ContinuousClock.now < deadline else {
        throw Failure.hung(seconds: timeoutSeconds)
      }
      if files[0].revents != 0 {
        let count = read(output.read, &buffer, buffer.count)
        guard count > 0 else { throw ended(supervised) }
        heard += count
      }
      if files[1].revents != 0 {
        let count = input.withUnsafeBytes { bytes in
          send(
            socket, bytes.baseAddress! + sent, min(65_536, bytes.count - sent),
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        guard count > 0 else { throw ended(supervised) }
        sent += count
      }
    }
  }

  private func ended(_ supervised: Supervised) -> Failure {
    let status = supervised.waited()?.status ?? 0
    let signal = status & 0x7f
    return signal == 0
      ? .exited((status >> 8) & 0xff, errors: "it ended before its input")
      : .killed(signal: signal, errors: "")
  }
}
