import Foundation
import HostProtocol
import Platform

/// A plugin that runs in a host process, block by block. The process ends with this object.
final class HostedPlugin {
  private let connection: SupervisedConnection
  private let scratch: ScratchFolder
  private let stateFile: URL
  /// The interleaved channels of the last block.
  private(set) var output: [Float] = []
  private(set) var latencySamples: Int?
  private(set) var channelCount = 0
  /// Memory of its process after the last request without frames.
  private(set) var heapBytes = 0
  /// The work of the last request; the first is the plugin's start.
  private(set) var work = BlockWork()

  /// Starts a plugin.
  ///
  /// - Parameter timeoutSeconds: longest time to wait for a block.
  /// - Throws: `Refusal` or `ChildProcess.Failure`.
  init(
    _ session: HostSession, environment: [String: String], timeoutSeconds: Double,
    memoryMB: Double
  ) throws {
    scratch = try ScratchFolder()
    let (host, file) = (try PluginHost.path(), scratch.file("session.json"))
    stateFile = HostState.file(of: file)
    try JSONEncoder().encode(session).write(to: file)
    connection = try SupervisedConnection(
      host, ["live", file.path], environment, folder: scratch.url, memoryMB: memoryMB,
      timeoutSeconds: timeoutSeconds)
  }

  /// Waits until the plugin is ready.
  func begin() throws { try receiveReply(frameCount: 0) }

  /// Plays a block; `output` is then its sound.
  func play(_ input: Span<Float>) throws {
    try send(.init(.process, frameCount: input.count))
    try input.withUnsafeBytes { bytes in try named { try connection.write(bytes) } }
    try receiveReply(frameCount: input.count)
  }

  /// Deactivates the plugin and activates it again.
  func reset() throws {
    try send(.init(.reset, frameCount: 0))
    try receiveReply(frameCount: 0)
  }

  /// Returns the plugin's state and the values of its controls.
  func save() throws -> HostState { try exchangeState(.save) }

  /// Restores a state; returns what became of it.
  func restore(_ state: HostState) throws -> HostState {
    try JSONEncoder().encode(state).write(to: stateFile)
    return try exchangeState(.restore)
  }

  private func exchangeState(_ request: HostMessage.Request) throws -> HostState {
    try send(.init(request, frameCount: 0))
    try receiveReply(frameCount: 0)
    return try JSONDecoder().decode(HostState.self, from: GivenFile.data(at: stateFile))
  }

  // MARK: Messages

  private func send(_ header: HostMessage.RequestHeader) throws {
    try withUnsafeBytes(of: header) { bytes in try named { try connection.write(bytes) } }
  }

  /// - Parameter frameCount: of the request, and of the right reply.
  private func receiveReply(frameCount: Int) throws {
    var header = HostMessage.ReplyHeader(
      BlockWork(), frameCount: 0, channelCount: 0, latencySamples: nil)
    try withUnsafeMutableBytes(of: &header) { bytes in try named { try connection.read(bytes) } }
    // The plugin's code shares the host's process and may write into its messages.
    guard header.frameCount == frameCount, header.isWithinBounds,
      channelCount == 0 || header.channelCount == channelCount
    else { throw PluginHost.garbled }
    work.cpuSeconds = header.cpuSeconds
    work.wallSeconds = header.wallSeconds
    work.allocations = Int(header.allocations)
    latencySamples = header.latencySamples < 0 ? nil : Int(header.latencySamples)
    channelCount = Int(header.channelCount)
    if frameCount == 0 { heapBytes = Int(clamping: header.heapBytes) }
    let count = frameCount * channelCount
    if output.count != count { output = [Float](repeating: 0, count: count) }
    try output.withUnsafeMutableBytes { bytes in try named { try connection.read(bytes) } }
  }

  /// Calls the connection; the host's own sentences replace its errors.
  private func named(_ call: () throws -> Void) throws {
    do { try call() } catch let error as ChildProcess.Failure {
      if case .exited(0, _) = error { throw PluginHost.left }
      throw PluginHost.named(error)
    }
  }
}
