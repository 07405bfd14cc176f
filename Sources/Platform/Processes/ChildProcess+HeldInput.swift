import Foundation

extension ChildProcess {
  /// Runs a program whose standard input stays open after `input`, and counts its answer.
  ///
  /// - Parameter restSeconds: time without any output after which it is taken to wait for more input.
  /// - Returns: number of bytes that it wrote although its input had not ended.
  /// - Throws: `Failure`, also if it ends by itself without an error code.
  package func bytesAnswered(to input: Data, restSeconds: Double = 2) throws -> Int {
    let program = try found()
    let (socket, output) = (
      try Endpoints(socketFor: program), try Endpoints(pipeFor: program)
    )
    let nowhere = FileDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
    let supervised = try Supervised(
      program, arguments, environment, folder: folder,
      streams: (socket.theirs, output.theirs, nowhere.number), memoryMB: memoryMB, fileMB: fileMB)
    socket.closeTheirs()
    output.closeTheirs()
    return try answered(input, through: socket.ours, output.ours, supervised, restSeconds)
  }

  private func answered(
    _ input: Data, through socket: Int32, _ output: Int32, _ supervised: Supervised,
    _ restSeconds: Double
  ) throws(Failure) -> Int {
    let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var (sent, received) = (0, 0)
    while true {
      var files = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sent < input.count ? socket : -1, events: Int16(POLLOUT), revents: 0),
      ]
      let rest = min(deadline, .now + .seconds(restSeconds))
      let ready = poll(&files, 2, (sent < input.count ? deadline : rest).pollMs)
      if ready < 0, errno == EINTR { continue }
      if ready == 0, sent == input.count { return received }
      guard ContinuousClock.now < deadline else { throw .hung(seconds: timeoutSeconds) }
      if files[0].revents != 0 {
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { throw left(supervised) }
        received += count
      }
      if files[1].revents != 0 {
        let count = input.withUnsafeBytes { bytes in
          send(
            socket, bytes.baseAddress! + sent, min(65_536, bytes.count - sent),
            Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        guard count > 0 else { throw left(supervised) }
        sent += count
      }
    }
  }

  /// Returns the failure of a program that closed a stream.
  private func left(_ supervised: Supervised) -> Failure {
    // Its process ends a moment after its streams, if it ends.
    let hasEnded = supervised.hasEnded(withinSeconds: 1)
    guard let end = supervised.finish() else { return .supervisorGone }
    guard hasEnded else { return .closedItsOutput }
    return (end.failure ?? .exited(0, errors: "")).quoting("it ended before its input")
  }
}
