import Files
import Foundation
import HostProtocol
import Programs

/// A plugin that runs in a host process, block by block. The process ends with this object.
final class HostedPlugin {
  private let supervised: Supervised
  /// A socket for both directions.
  private let socket: FileDescriptor
  private let scratch: ScratchFolder
  private let timeoutSeconds: Double
  /// The interleaved channels of the last block.
  private(set) var output: [Float] = []
  private(set) var latencySamples: Int?
  private(set) var channelCount = 0
  /// The work of the last request; the first is the plugin's start.
  private(set) var work = BlockWork()

  /// Starts a plugin.
  ///
  /// - Parameter timeoutSeconds: longest time to wait for a block.
  /// - Throws: `PluginHost.Failure` or `ChildProcess.Failure`.
  init(
    _ session: HostSession, environment: [String: String], timeoutSeconds: Double,
    memoryMB: Double
  ) throws {
    scratch = try ScratchFolder()
    self.timeoutSeconds = timeoutSeconds
    let (host, file) = (try PluginHost.path(), scratch.file("session.json"))
    try JSONEncoder().encode(session).write(to: file)
    let ends = try ChildProcess.sockets(for: host)
    socket = FileDescriptor(ends.ours)
    // Closed at the end of this scope, so that the host's end is heard.
    let theirs = FileDescriptor(ends.theirs)
    let whole = timeoutSeconds.rounded(.down)
    var patience = timeval(tv_sec: Int(whole), tv_usec: Int((timeoutSeconds - whole) * 1e6))
    setsockopt(ends.ours, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let errors = FileDescriptor(
      open(scratch.file("errors").path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    supervised = try Supervised(
      host, [host, "live", file.path], environment, folder: scratch.url,
      streams: (theirs.number, theirs.number, errors.number), memoryMB: memoryMB, fileMB: 1024)
  }

  /// Waits until the plugin is ready.
  func begin() throws { try hear() }

  /// Plays a block; `output` is then its sound.
  func play(_ input: Span<Float>) throws {
    try send(.init(.process, frameCount: input.count))
    try input.withUnsafeBytes { try send($0) }
    try hear()
  }

  /// Deactivates the plugin and activates it again.
  func reset() throws {
    try send(.init(.reset, frameCount: 0))
    try hear()
  }

  // MARK: Messages

  private func send(_ header: HostMessage.RequestHeader) throws {
    try withUnsafeBytes(of: header) { try send($0) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let count = Glibc.send(
        socket.number, bytes.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw ended() }
      done += count
    }
  }

  private func hear() throws {
    var header = HostMessage.ReplyHeader(
      BlockWork(), frameCount: 0, channelCount: 0, latencySamples: nil)
    try withUnsafeMutableBytes(of: &header) { try fill($0) }
    work.cpuSeconds = header.cpuSeconds
    work.wallSeconds = header.wallSeconds
    work.allocations = Int(header.allocations)
    latencySamples = header.latencySamples < 0 ? nil : Int(header.latencySamples)
    channelCount = Int(header.channelCount)
    let count = Int(header.frameCount) * channelCount
    if output.count != count { output = [Float](repeating: 0, count: count) }
    try output.withUnsafeMutableBytes { try fill($0) }
  }

  private func fill(_ bytes: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let count = recv(socket.number, bytes.baseAddress! + done, bytes.count - done, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ChildProcess.Failure.hung(seconds: timeoutSeconds) }
      guard count > 0 else { throw ended() }
      done += count
    }
  }

  /// Returns how the process ended.
  private func ended() -> any Error {
    let end = supervised.waited()
    let errors = ChildProcess.tail(
      of: (try? Data(contentsOf: scratch.file("errors"))) ?? Data())
    guard let end, end.start_error == 0 else {
      return ChildProcess.Failure.killed(signal: SIGKILL, errors: errors)
    }
    let signal = end.status & 0x7f
    if end.status == 0 { return PluginHost.left }
    return signal != 0
      ? ChildProcess.Failure.killed(signal: signal, errors: errors)
      : PluginHost.named(ChildProcess.Failure.exited((end.status >> 8) & 0xff, errors: errors))
  }
}
