import HostProtocol

/// The rendering of a whole sound.
enum Rendering {
  /// Plays the floats of one channel through a plugin and writes those of all its outputs.
  static func play(
    _ session: HostSession, from source: Channel, to target: Channel
  ) throws -> HostReport {
    let player = PluginPlayer(try PluginLoader.running(session), session)
    let bytes = source.readAll()
    let count = bytes.count / MemoryLayout<Float>.size
    var input = [Float](repeating: 0, count: count)
    input.withUnsafeMutableBytes { $0.copyBytes(from: bytes.prefix($0.count)) }
    var output = [Float](repeating: 0, count: count * player.channelCount)
    let work = try input.withUnsafeBufferPointer { input in
      try output.withUnsafeMutableBufferPointer { try player.play(input, into: $0, isWhole: true) }
    }
    let report = HostReport(
      latencySamples: player.latencySamples, channelCount: player.channelCount, work: work)
    try output.withUnsafeBytes { try target.write($0) }
    try player.close()
    return report
  }
}
