import AllocationProbe
import Foundation
import Glibc
import HostProtocol

/// A plugin that is played block by block on request.
struct PluginSession {
  private let player: PluginPlayer
  private let stateFile: URL
  private let source: Channel
  private let target: Channel

  init(_ session: HostSession, stateFile: URL, from source: Channel, to target: Channel) throws {
    player = try PluginPlayer(session)
    (self.stateFile, self.source, self.target) = (stateFile, source, target)
  }

  /// Answers requests until choir-eval closes its end.
  func serve() throws {
    var (input, output) = ([Float](), [Float]())
    var start = BlockWork()
    start.cpuSeconds = Clock.seconds(CLOCK_PROCESS_CPUTIME_ID)
    try reply(start, [], frameCount: 0)
    while let header = request() {
      let count = Int(header.frameCount)
      switch HostMessage.Request(rawValue: header.request) {
      case .reset:
        try player.reset()
        try reply(BlockWork(), [], frameCount: 0)
      case .save, .restore:
        let given =
          header.request == HostMessage.Request.restore.rawValue
          ? try JSONDecoder().decode(HostState.self, from: Data(contentsOf: stateFile)) : nil
        let isAccepted = try given?.state.map(player.restore) ?? true
        var state = try player.state()
        state.isAccepted = isAccepted
        try JSONEncoder().encode(state).write(to: stateFile)
        try reply(BlockWork(), [], frameCount: 0)
      case .process:
        if input.count < count {
          input = Array(repeating: 0, count: count)
          output = Array(repeating: 0, count: count * player.channelCount)
        }
        let isWhole = input.withUnsafeMutableBytes {
          source.read(into: .init(rebasing: $0[..<(4 * count)])) == 4 * count
        }
        guard isWhole else { return }
        let work = try input.withUnsafeBufferPointer { input in
          try output.withUnsafeMutableBufferPointer { output in
            try player.play(.init(rebasing: input[..<count]), into: output)
          }
        }
        try reply(work, output, frameCount: count)
      case nil: throw PluginFault(description: "unknown request; use the choir-host of choir-eval")
      }
    }
    try player.close()
  }

  private func request() -> HostMessage.RequestHeader? {
    var header = HostMessage.RequestHeader(.reset, frameCount: 0)
    let isWhole = withUnsafeMutableBytes(of: &header) { source.read(into: $0) == $0.count }
    return isWhole ? header : nil
  }

  private func reply(_ work: BlockWork, _ sound: [Float], frameCount: Int) throws {
    var header = HostMessage.ReplyHeader(
      work, frameCount: frameCount, channelCount: player.channelCount,
      latencySamples: player.latencySamples)
    if frameCount == 0 { header.heapBytes = UInt64(allocation_probe_heap_bytes()) }
    try withUnsafeBytes(of: header) { try target.write($0) }
    try sound.withUnsafeBytes {
      try target.write(.init(rebasing: $0[..<(4 * frameCount * player.channelCount)]))
    }
  }
}
